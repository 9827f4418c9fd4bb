"""Systems that live in this process, and what times them."""

import numpy as np
import pytest

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.population import Population
from gleak.system import Function, KnownChannel, SystemFailure, answers, as_system
from gleak.timing import Timing

RNG = np.random.default_rng(0)


def drawn(system, secrets):
    return system.draw(np.array(secrets), np.random.default_rng(0))


def test_a_vectorised_function_with_and_without_a_generator():
    assert drawn(Function(lambda x: x + 1), [1, 2]).columns[0].values.tolist() == [2, 3]
    noisy = Function(lambda x, rng: x + rng.integers(0, 1, len(x)))
    assert drawn(noisy, [1, 2]).columns[0].values.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("call", "names", "first"),
    [
        (lambda x: x * 2, ["0"], [2]),
        (lambda x: (x, -x), ["0", "1"], [1, -1]),
        (lambda x: {"t": x, "u": 0.5}, ["t", "u"], [1, 0.5]),
    ],
)
def test_a_function_of_one_secret(call, names, first):
    seen = drawn(Function(call, vectorised=False), [1, 2])
    assert seen.names == names
    assert seen.matrix()[0].tolist() == first


def test_a_channel_as_a_black_box_shows_its_observables():
    channel = Channel(np.eye(2), secrets=["a", "b"], observables=["left", "right"])
    seen = drawn(KnownChannel(channel), ["b", "a", "b"])
    assert seen.columns[0].categories[seen.columns[0].values].tolist() == ["right", "left", "right"]


def test_what_is_a_system():
    assert isinstance(as_system(Channel(np.eye(2))), KnownChannel)
    assert isinstance(as_system(lambda x: x), Function)
    own = Function(lambda x: x)
    assert as_system(own) is own
    with pytest.raises(InputError, match="a system must be a function, a channel"):
        as_system(3)


def failing(secret):
    if secret == 1234567:
        raise ValueError(f"bad secret {secret}")
    return secret


def test_a_function_that_raises_is_named_by_the_position_never_by_the_secret():
    system = Function(failing, vectorised=False)
    pieces = answers(system, np.array([1, 2, 1234567]), RNG)
    assert next(pieces).columns[0].values.tolist() == [1, 2]
    with pytest.raises(SystemFailure, match=r"secret 2 .*raised ValueError") as failure:
        next(pieces)
    assert "1234567" not in str(failure.value)
    assert failure.value.position == 2


def test_too_few_answers_are_noticed():
    with pytest.raises(SystemFailure, match="3 secrets were asked for, 2 answered"):
        list(answers(Function(lambda x: x[1:]), np.arange(3), RNG))


def test_answers_that_change_their_columns_are_noticed():
    system = Function(lambda x: (1,) * (x + 1), vectorised=False)
    with pytest.raises(SystemFailure, match="has not 2 columns like the first"):
        drawn(system, [1, 1, 2])


def spin(secret):
    sum(range(20_000 * secret))
    return secret


def test_timing_tells_slow_from_fast_and_answers_in_the_order_asked():
    system = Timing(Function(spin, vectorised=False), answers=True, warm_up=3)
    secrets = [0, 1] * 15
    seen = drawn(system, secrets)
    assert seen.names == ["nanoseconds", "0"]
    assert seen.columns[1].values.tolist() == secrets
    times = seen.columns[0].values
    assert np.median(times[1::2]) > 5 * np.median(times[::2]) > 0


def test_timing_asks_in_random_order_after_a_warm_up_that_is_not_shown():
    asked = []
    system = Timing(Function(asked.append, vectorised=False), warm_up=5)
    system.system = Function(lambda x: asked.append(x) or 0, vectorised=False)
    assert len(drawn(system, range(50))) == 50
    assert len(asked) == 55
    assert sorted(asked[5:]) == list(range(50)) != asked[5:]


def test_what_cannot_be_timed():
    with pytest.raises(InputError, match="a Function or a Command"):
        Timing(KnownChannel(Channel(np.eye(2))))
    with pytest.raises(InputError, match="asked one secret at a time"):
        drawn(Timing(Function(lambda x: x)), [1])


def test_a_population_from_a_file(tmp_path):
    file = tmp_path / "s.csv"
    file.write_text("secret,prior,side\nb,0.75,l\na,0.25,r\n")
    found = Population.read(file)
    assert found.secrets.tolist() == ["b", "a"]
    assert found.prior.tolist() == [0.75, 0.25]
    assert found.attributes["side"].tolist() == ["l", "r"]
    assert Population.read(file, "uniform").prior.tolist() == [0.5, 0.5]
    with pytest.raises(InputError, match="at least two"):
        Population.of(["only"])


def test_an_answer_that_cannot_be_read_loses_none_before_it_and_names_the_position():
    system = Function(lambda x: float("nan") if x == 9 else x, vectorised=False)
    received = []
    with pytest.raises(SystemFailure, match=r"cannot be read: .*nan") as failure:
        received.extend(len(piece) for piece in answers(system, np.arange(12), RNG))
    assert failure.value.position == 9
    assert sum(received) == 9


def test_widths_that_change_are_named_by_the_position_in_the_request():
    system = Function(lambda x: (1,) * (1 + (x == 9)), vectorised=False)
    with pytest.raises(SystemFailure, match="has not 1 columns") as failure:
        list(answers(system, np.arange(12), RNG))
    assert failure.value.position == 9


@pytest.mark.parametrize("answer", [lambda x: x[1:], lambda x: np.append(x, 1)])
def test_of_another_number_of_answers_none_is_kept_for_nobody_knows_whose_they_are(answer):
    pieces = answers(Function(answer), np.arange(3), RNG)
    with pytest.raises(SystemFailure, match="3 secrets were asked for"):
        next(pieces)


@pytest.mark.parametrize("answer", [lambda x: None, lambda x: x * np.nan])
def test_what_a_vectorised_function_may_not_answer_is_its_failure(answer):
    with pytest.raises(SystemFailure, match="what was answered cannot be read"):
        list(answers(Function(answer), np.arange(3.0), RNG))
