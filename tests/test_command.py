"""Programs as systems, most of them badly behaved."""

import sys
import time

import numpy as np
import pytest

from gleak.answer_form import AnswerForm, Garbage
from gleak.command import Command
from gleak.errors import InputError
from gleak.system import SystemFailure
from gleak.timing import Timing

SECRETS = np.array(["s3cret-one", "s3cret-two", "s3cret-three", "s3cret-four"])
RNG = np.random.default_rng(0)


def python(body):
    """A program that does something with each line."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return (sys.executable, "-S", "-c", f"import sys\nfor n, x in enumerate(sys.stdin):\n{lines}")


def tell(expression):
    return python(f"print({expression}, flush=True)")


def test_a_long_lived_program_answers_line_by_line():
    with Command(tell("f'{len(x)},{n}'")) as system:
        first = system.draw(SECRETS, RNG)
        second = system.draw(SECRETS[:1], RNG)
    assert first.matrix().tolist() == [[11, 0], [11, 1], [13, 2], [12, 3]]
    assert second.matrix().tolist() == [[11, 4]]


def test_a_program_per_query():
    with Command(("wc", "-c"), per_query=True) as system:
        assert system.draw(SECRETS, RNG).matrix().ravel().tolist() == [11, 11, 13, 12]


def test_more_than_fits_into_any_pipe():
    secrets = np.array(["x" * 50 + str(i) for i in range(20_000)])
    with Command(tell("len(x), ',', n")) as system:
        seen = system.draw(secrets, RNG)
    assert seen.columns[1].values.tolist() == list(range(20_000))


def test_no_shell_sees_a_secret():
    secrets = np.array(["$(touch /tmp/no)", "; exit 3", "`id`", "a b"])
    with Command(("cat",), observables=["same:text"]) as system:
        seen = system.draw(secrets, RNG).columns[0]
    assert seen.categories[seen.values].tolist() == secrets.tolist()


def test_a_program_that_dies_now_and_then_is_started_again():
    body = "if n == 3: sys.exit(1)\nprint(n, flush=True)"
    with Command(python(body)) as system:
        seen = system.draw(np.arange(8), RNG)
    assert seen.columns[0].values.tolist() == [0, 1, 2, 0, 1, 2, 0, 1]


DIES = (
    "if 'three' in x:\n    print('at', x, file=sys.stderr)\n    sys.exit(3)\nprint(1, flush=True)"
)
FAULTS = {
    "hangs": (
        "if n == 2: import time; time.sleep(9)\nprint(1, flush=True)",
        "no answer within 0.5",
    ),
    "dies": (DIES, "exit status 3 instead of an answer"),
    "killed": (
        "import os\nif 'three' in x: os.kill(os.getpid(), 9)\nprint(1, flush=True)",
        "by SIGKILL",
    ),
    "garbage": ("print(1 if n < 2 else 'Segfault', flush=True)", "got a text of 8 characters"),
    "not text": (
        "sys.stdout.buffer.write(b'1\\n' if n < 2 else b'\\xff\\n'); sys.stdout.flush()",
        "not UTF-8",
    ),
    "nan": ("print(1 if n < 2 else 'nan', flush=True)", "must be a finite number"),
    "too few": ("print('1,2' if n < 2 else '1', flush=True)", "too few columns: 1 instead of 2"),
    "too many": ("print('1' if n < 2 else '1,2', flush=True)", "too many columns: 2 instead of 1"),
    "empty": ("print('1' if n < 2 else '', flush=True)", "is an empty line"),
    "floods": (
        "if n == 2: \n    while True: sys.stderr.write('noise ' * 999)\nprint(1, flush=True)",
        "no answer within 0.5 s.*standard error ends with: .*noise",
    ),
    "no line": (
        "if n == 2: \n    while True: sys.stdout.write('x' * 9999)\nprint(1, flush=True)",
        "goes on for more than a million bytes",
    ),
    "quotes": (
        "print('a' if n < 2 else chr(34) + 'a', flush=True)",
        "quotation marks cannot be read",
    ),
    "two lines": ("print(1)\nif n == 3: print(1)\nsys.stdout.flush()", "more lines than"),
}


def take(system, received):
    """Ask twice: a line too many is noticed then, at the latest."""
    for piece in system.stream(SECRETS, RNG):
        received.append(len(piece))
    time.sleep(0.3)
    system.draw(SECRETS, RNG)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_place_after_what_was_right_was_handed_on(fault):
    body, message = FAULTS[fault]
    received = []
    patience = 0.5 if "0.5" in message else 30.0  # a busy machine takes its time to start a program
    system = Command(python(body), timeout=patience)
    with system, pytest.raises(SystemFailure, match=message) as failure:
        take(system, received)
    if fault != "two lines":
        assert sum(received) == 2
        assert failure.value.position == 2
    assert "s3cret" not in str(failure.value)


def test_standard_error_is_kept_without_the_secret():
    with (
        Command(python(DIES), timeout=2) as system,
        pytest.raises(SystemFailure, match="standard error ends with: at <secret>"),
    ):
        system.draw(SECRETS, RNG)


def test_standard_error_is_kept_without_the_secrets_of_earlier_requests():
    body = (
        "import time\nprint('at', x.strip(), file=sys.stderr)\n"
        "if n == 3: time.sleep(99)\nprint(1, flush=True)"
    )
    with Command(python(body), timeout=3) as system:
        for secret in SECRETS[:3]:
            system.draw(np.array([secret]), RNG)
        with pytest.raises(SystemFailure, match=r"at <secret> . at <secret>") as failure:
            system.draw(SECRETS[3:], RNG)
    assert "s3cret" not in str(failure.value)


def test_a_greeting_is_taken_for_what_it_is():
    words = (
        sys.executable,
        "-c",
        "print('hello', flush=True)\nfor x in open(0): print(1, flush=True)",
    )
    with Command(words) as system, pytest.raises(SystemFailure, match="no greeting"):
        system.draw(SECRETS, RNG)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("true",), "after 0 lines"),
        (("sh", "-c", "cat >/dev/null; exit 4"), "exit status 4"),
        (("sh", "-c", "echo 1; echo 2"), "more lines"),
        (("sleep", "5"), "no answer within"),
    ],
)
def test_faults_of_a_program_per_query(words, message):
    with (
        Command(words, per_query=True, timeout=0.5) as system,
        pytest.raises(SystemFailure, match=message) as failure,
    ):
        system.draw(SECRETS, RNG)
    assert failure.value.position == 0


def test_refusals():
    with pytest.raises(InputError, match="cannot be started: No such file"):
        Command(("no-such-program-here",)).draw(SECRETS, RNG)
    with pytest.raises(InputError, match="in a list"):
        Command("cat file")
    with pytest.raises(InputError, match="time-out must be above 0"):
        Command(("cat",), timeout=0)
    with pytest.raises(SystemFailure, match="more than one line") as failure:
        Command(("cat",)).draw(np.array(["a", "b\nc"]), RNG)
    assert failure.value.position == 1
    with (
        Command(("cat",), observables=["a", "b"]) as system,
        pytest.raises(SystemFailure, match="1 columns instead of 2"),
    ):
        system.draw(SECRETS, RNG)


def test_a_reader_who_leaves_early_leaves_no_answers_behind():
    with Command(tell("x.strip()")) as system:
        pieces = system.stream(np.arange(5000), RNG)
        next(pieces)
        pieces.close()
        assert system.draw(np.array([7]), RNG).columns[0].values.tolist() == [7]


def test_timing_a_program():
    body = "import time\nif int(x): time.sleep(.02)\nprint(x.strip(), flush=True)"
    with Timing(Command(python(body)), answers=True, warm_up=2) as system:
        seen = system.draw(np.array([0, 1] * 5), RNG)
    times, answer = (column.values for column in seen.columns)
    assert answer.tolist() == [0, 1] * 5
    assert times[1::2].min() > 20_000_000 > np.median(times[::2])


def test_a_failure_while_warming_up_names_a_place_of_the_request():
    with (
        Timing(Command(python(DIES), timeout=30), warm_up=40) as system,
        pytest.raises(SystemFailure, match="while warming up, it ended with") as failure,
    ):
        list(system.stream(SECRETS, RNG))
    assert failure.value.position == 2


def test_forms_of_answers():
    form = AnswerForm.told(b'0.5,"a,b",7', ["time", "word", "code:text"])
    seen = form.read([b'1,"x,y",8', b"2,z,9"])
    assert seen.names == ["time", "word", "code"]
    assert seen.numeric.tolist() == [True, False, False]
    for lines in ([b'1,"x', b"2,z,9"], [b"2,z,9", b'1,x,"9'], [b'1,"x"y,9']):
        with pytest.raises(Garbage, match="quotation marks cannot be read") as garbage:
            form.read(lines)
        assert garbage.value.place == [b'"' in line for line in lines].index(True)
