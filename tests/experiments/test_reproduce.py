"""The runner: same numbers however often it is stopped and wherever its tasks run."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from gleak.errors import InputError
from gleak.experiments import mnist, reproduce, studies, vote
from gleak.experiments.attacks import Auto, Fixed, shortened
from gleak.experiments.depth import layers
from gleak.experiments.mnist_files import FILES
from gleak.experiments.paper_networks import paper_network
from gleak.experiments.protocol import Cell, Protocol, protocol
from gleak.experiments.reproduce import Plan
from gleak.experiments.runs import RunFolder
from gleak.parallel import Runner

SMALL = Protocol(training_sets=2, validation_sets=3, validation_size=400, effort=0.001)
PLAN = Plan(("password-0.5",), SMALL, ("frequentist", "k-nn"))


def told(runs):
    return [(run.cell, run.id, run.values.tolist(), run.gap) for run in runs]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An undisturbed run of the plan."""
    return reproduce.run(PLAN, RunFolder(tmp_path_factory.mktemp("whole")))


def test_every_cell_is_run(whole):
    cells = [(run.cell.attacker, run.cell.size, run.cell.training_set) for run in whole]
    assert cells == [
        ("perfect", 0, 0),
        *((name, size, place) for name in ("k-NN", "frequentist")
          for size in (10_000, 30_000, 50_000) for place in (0, 1)),
    ]  # fmt: skip
    assert all(len(run.values) == 3 for run in whole)


def test_values_are_mean_gains_on_the_validation_sets(whole):
    """Scored anew: the perfect attacker's gains, set by set, from samples drawn as is written."""
    experiment = studies.study("password-0.5").subject.experiment
    samples = experiment.sample(1200, rng=SMALL.rng("validation"))
    guesses = experiment.optimal.guess(samples.observables)
    by_hand = (guesses == samples.codes).reshape(3, 400).mean(axis=1)
    assert np.allclose(whole[0].values, by_hand)
    assert whole[0].gap == pytest.approx(0, abs=1e-12)
    assert whole[0].truth == experiment.vulnerability


def test_who_is_stopped_goes_on_where_it_was(whole, tmp_path):
    folder, done = RunFolder(tmp_path), []

    def stop(what, share):
        done.append(share)
        if len(done) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce.run(PLAN, folder, progress=stop)
    kept = {run.id: run.created for run in whole if run.id in folder}
    assert len(kept) == 4
    again = reproduce.run(PLAN, folder)
    assert told(again) == told(whole)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert told(reproduce.run(PLAN, folder)) == told(whole)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_what_is_kept_can_be_looked_at_before_all_is_done(whole, tmp_path):
    folder = RunFolder(tmp_path)
    for run in whole[3:5]:
        folder.write(run)
    before = sorted(tmp_path.iterdir())
    found = reproduce.kept(PLAN, folder)
    assert told(found) == told(whole[3:5])
    assert sorted(tmp_path.iterdir()) == before
    missing = PLAN.missing(found)
    assert [*missing] == [run.cell for run in [*whole[:3], *whole[5:]]]
    assert PLAN.missing(whole) == ()


def test_nothing_kept_is_refused_and_no_folder_made(whole, tmp_path):
    with pytest.raises(InputError, match=r"none of the 13 runs .* which has no others"):
        reproduce.kept(PLAN, RunFolder(tmp_path / "none"))
    assert not (tmp_path / "none").exists()
    RunFolder(tmp_path).write(whole[0])
    other = replace(PLAN, protocol=replace(SMALL, seed=1))
    with pytest.raises(InputError, match=r"which has 1 others; give the same .* seed"):
        reproduce.kept(other, RunFolder(tmp_path))


def test_nothing_is_run_that_could_not_be_kept(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="the folder of runs must be one that can be made"):
        reproduce.run(PLAN, RunFolder(tmp_path / "file" / "runs"))


def test_progress_ends_with_everything_done(tmp_path):
    shares = []
    reproduce.run(PLAN, RunFolder(tmp_path), progress=lambda _, share: shares.append(share))
    assert shares[-1] == pytest.approx(1.0)
    assert 0 < shares[0] < 1


def test_two_processes_find_the_same(whole, tmp_path):
    assert told(reproduce.run(PLAN, RunFolder(tmp_path), runner=Runner(2))) == told(whole)


def test_another_seed_finds_something_else(whole, tmp_path):
    other = replace(PLAN, protocol=replace(SMALL, seed=1))
    runs = reproduce.run(other, RunFolder(tmp_path))
    assert not {run.id for run in runs} & {run.id for run in whole}
    assert told(runs) != told(whole)


@pytest.mark.parametrize("route", ["data", "channel"])
def test_networks_learn_by_both_routes(route):
    subject = studies.study("multiple_guesses").subject
    attack = Fixed("ANN", "ann", partial(paper_network, "multiple_guesses"), route)
    cells = [Cell("multiple_guesses", "ANN", route, 10_000, place) for place in (0, 1)]
    found = attack.learn(subject, cells, replace(SMALL, effort=0.02))
    assert all(0 <= subject.gap(one.strategy) < 0.4 for one in found)


def test_auto_learns_and_certifies_on_the_first_validation_set():
    subject = studies.study("password-1").subject
    (found,) = Auto().learn(subject, [Cell("password-1", "auto", "data", 1000, 0)], SMALL)
    assert subject.gap(found.strategy) < 0.01
    assert found.lower < subject.truth < found.upper


def test_five_vote_beside_one_on_all_samples(tmp_path):
    plan = Plan(("vote",), replace(SMALL, effort=0.001))
    runs = reproduce.run(plan, RunFolder(tmp_path))
    names = [run.cell.attacker for run in runs]
    assert names == ["perfect", *[vote.ALONE] * 5, vote.TOGETHER, vote.WHOLE]
    assert runs[-1].cell.size == 50_000


def test_depths_have_so_many_layers():
    attacks = studies.study("depth").attackers(())
    assert [attack.name for attack in attacks[1:]] == [layers(depth) for depth in range(4)]
    deep = [attack.by_size(10_000).network.hidden for attack in attacks[1:]]
    assert deep == [(), (100,), (100, 100), (100, 100, 100)]


def test_digits_are_learned_from_the_files(tmp_path, monkeypatch):
    """Dark images are sevens, bright ones threes."""
    rng = np.random.default_rng(0)

    def write(name, numbers):
        lengths = b"".join(length.to_bytes(4, "big") for length in numbers.shape)
        raw = bytes([0, 0, 8, numbers.ndim]) + lengths + numbers.astype(np.uint8).tobytes()
        (tmp_path / name).write_bytes(raw)

    for many, images, labels in ((1000, *FILES[:2]), (100, *FILES[2:])):
        digits = rng.choice([3, 7], many)
        write(images, (np.where(digits == 3, 200, 20))[:, None, None] + np.zeros((1, 8, 8)))
        write(labels, digits)
    monkeypatch.setattr(mnist, "TRAINED_ON", 1000)
    plan = Plan(("mnist",), replace(SMALL, effort=0.2), ("ann",), tmp_path)
    dense, lenet = reproduce.run(plan, RunFolder(tmp_path / "runs"))
    assert dense.truth is None
    assert len(dense.values) == 10
    assert dense.errors.mean() < 0.1
    assert len(lenet.values) == 10


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (replace(PLAN, studies=("depth",), attackers=("auto",)), "none of auto attacks in depth"),
        (replace(PLAN, attackers=("trees!",)), "trees"),
        (replace(PLAN, studies=("mnist",)), "MNIST is not fetched"),
    ],
)
def test_what_cannot_be_run_is_refused(plan, message, tmp_path):
    with pytest.raises(InputError, match=message):
        reproduce.run(plan, RunFolder(tmp_path))


def test_any_other_attacker_may_join(tmp_path):
    plan = replace(PLAN, attackers=("trees",), protocol=replace(SMALL, training_sets=1))
    names = {run.cell.attacker for run in reproduce.run(plan, RunFolder(tmp_path))}
    assert names == {"perfect", "trees"}


def test_names_of_studies():
    assert studies.named(["all"]) == list(studies.STUDIES)
    assert studies.named(["vote", "password", "password-1"])[0] == "password-0.1"
    with pytest.raises(InputError, match="location"):
        studies.named(["locations"])


def test_scales():
    assert (protocol("paper").training_sets, protocol("paper").effort) == (5, 1.0)
    with pytest.raises(InputError, match="quick"):
        protocol("quik")


def test_only_networks_are_shortened():
    network = paper_network("multiple_guesses", 10_000)
    assert shortened(network, 0.1).training.epochs == 70
    assert shortened(network, 1e-9).training.epochs == 1
