import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from gleak.adversaries import Frequentist, Metric
from gleak.adversaries.metric import MetricStrategy
from gleak.channel import Channel
from gleak.errors import InputError
from gleak.observables import Observables
from gleak.samples import Samples

GRID = np.stack(np.divmod(np.arange(36), 6), axis=1).astype(float)
"""36 places on a square grid: secrets and observables alike."""


def noisy(kind: str, decay: float, prior=None) -> Channel:
    """A channel whose posterior is exactly the family's, when the prior is uniform and the grid
    large: C[x,y] ∝ exp(−β·d(x,y)), d written out here."""
    steps = np.abs(GRID[:, None] - GRID)
    distance = {
        "euclidean": np.sqrt((steps**2).sum(axis=2)),
        "cityblock": steps.sum(axis=2),
        "sqeuclidean": (steps**2).sum(axis=2),
    }[kind]
    weights = np.exp(-decay * distance)
    return Channel(weights / weights.sum(axis=1, keepdims=True), prior)


def located(channel: Channel, n: int, seed: int, names=("row", "col")) -> Samples:
    codes, seen = channel.sample(n, rng=seed)
    shown = Observables.of(dict(zip(names, GRID[seen].T, strict=True)))
    return Samples(codes, np.arange(36), shown, dict(zip(("row", "col"), GRID.T, strict=True)))


def fit(adversary: Metric, samples: Samples) -> MetricStrategy:
    return adversary.fit(samples, samples.bind("bayes"), rng=0)


@pytest.mark.parametrize("kind", ["euclidean", "cityblock", "sqeuclidean"])
def test_finds_the_decay_of_the_noise(kind):
    strategy = fit(Metric(distance=kind, prior="none"), located(noisy(kind, 1.2), 5000, seed=1))
    assert strategy.distance == kind
    assert strategy.decay == pytest.approx(1.2, rel=0.15)  # edges of the grid bend it a little


@pytest.mark.parametrize("kind", ["euclidean", "cityblock"])
def test_finds_the_kind_of_distance(kind):
    assert fit(Metric(), located(noisy(kind, 1.2), 3000, seed=2)).distance == kind


def test_the_decay_is_that_of_highest_likelihood():
    """Recomputed by brute force: Σ log P(x|y) with all weights 1, row by row."""
    samples = located(noisy("euclidean", 1.0), 200, seed=3)
    strategy = fit(Metric(distance="euclidean", prior="none"), samples)
    seen = samples.observables.matrix()
    distance = np.linalg.norm(seen[:, None] - GRID, axis=2)

    def loss(decay):
        weights = np.exp(-decay * distance)
        own = weights[np.arange(200), samples.codes]
        return -np.log(own / weights.sum(axis=1)).sum()

    best = minimize_scalar(loss, bounds=(0.01, 10), method="bounded")
    assert strategy.decay == pytest.approx(best.x, rel=5e-3)


def test_the_smoothing_is_that_of_highest_leave_one_out_likelihood():
    """Recomputed by leaving every row out in turn and counting the others."""
    prior = np.random.default_rng(0).dirichlet(np.full(36, 0.3))
    samples = located(noisy("euclidean", 1.0, prior), 150, seed=4)
    strategy = fit(Metric(distance="euclidean", prior="smoothed"), samples)
    totals = np.bincount(samples.codes, minlength=36).astype(float)
    distance = np.linalg.norm(samples.observables.matrix()[:, None] - GRID, axis=2)

    def score(smoothing):
        kernel, total = np.exp(-strategy.decay * distance), 0.0
        for row, secret in enumerate(samples.codes):
            weights = totals + smoothing
            weights[secret] -= 1
            scores = kernel[row] * weights
            total += np.log(scores[secret] / scores.sum())
        return total

    chosen = float((strategy.weights - totals)[0])
    candidates = [0.01, 0.1, 0.3, 1.0, 3.0, 10.0]
    assert np.abs(np.array(candidates) - chosen).min() < 1e-9
    assert score(chosen) >= max(map(score, candidates)) - 0.5


def test_a_secret_never_seen_is_not_excluded():
    """With few samples most places were never seen; the shown place is still the best guess."""
    samples = located(noisy("euclidean", 3.0), 40, seed=5)
    never = np.flatnonzero(np.bincount(samples.codes, minlength=36) == 0)
    shown = Observables.of({"row": GRID[never, 0], "col": GRID[never, 1]})
    assert len(never) > 5
    assert (fit(Metric(), samples).guess(shown) == never).mean() > 0.8


def test_few_samples_suffice():
    """100 samples of 36 × 36 cells: counting alone has next to nothing to go by."""
    channel = noisy("euclidean", 1.0)
    samples = located(channel, 100, seed=6)
    best, blind = channel.posterior_vulnerability(), channel.prior_vulnerability()
    everywhere = Observables.of({"row": GRID[:, 0], "col": GRID[:, 1]})
    earned, counted = (
        channel.value(adversary.fit(samples, samples.bind("bayes")).guess(everywhere))
        for adversary in (Metric(), Frequentist())
    )
    assert (earned - blind) / (best - blind) > 0.9
    assert (counted - blind) / (best - blind) < 0.75


def test_as_a_back_off_of_counts():
    """Where noise is not a function of distance, counts correct what distance says."""
    channel = Channel(np.roll(np.asarray(noisy("euclidean", 1.5).matrix), 1, axis=1))
    samples = located(channel, 8000, seed=7)
    payoff = samples.bind("bayes")
    everywhere = Observables.of({"row": GRID[:, 0], "col": GRID[:, 1]})
    alone, both = (
        channel.value(adversary.fit(samples, payoff, rng=0).guess(everywhere))
        for adversary in (Metric(), Frequentist(3.0, Metric()))
    )
    assert both > alone + 0.05
    assert both > 0.97 * channel.posterior_vulnerability()


def test_the_prior_decides_where_it_says_more():
    prior = np.full(36, 0.1 / 35)
    prior[0] = 0.9
    samples = located(noisy("euclidean", 0.4, prior), 500, seed=8)
    beside = Observables.of({"row": [0.0], "col": [1.0]})
    assert fit(Metric(prior="smoothed"), samples).guess(beside) == [0]
    assert fit(Metric(prior="none"), samples).guess(beside) == [1]
    assert fit(Metric(), samples).guess(beside) == [0]


def test_columns_are_found_by_name_in_any_order():
    samples = located(noisy("euclidean", 1.5), 400, seed=9)
    turned = Observables(samples.observables.columns[::-1])
    again = Samples(samples.codes, samples.secrets, turned, samples.attributes)
    np.testing.assert_array_equal(
        fit(Metric(), samples).guess(samples.observables), fit(Metric(), again).guess(turned)
    )


def test_other_columns_are_left_out():
    samples = located(noisy("euclidean", 1.5), 400, seed=9)
    rng = np.random.default_rng(0)
    columns = {c.name: c.values for c in samples.observables.columns}
    more = Observables.of(columns | {"noise": rng.normal(size=400), "c": ["x", "y"] * 200})
    again = Samples(samples.codes, samples.secrets, more, samples.attributes)
    np.testing.assert_array_equal(
        fit(Metric(), samples).guess(samples.observables), fit(Metric(), again).guess(more)
    )


def test_numeric_secrets_are_their_own_coordinates():
    samples = Samples.of([10, 20, 30] * 5, np.array([11.0, 19, 30] * 5), attributes={})
    assert fit(Metric(), samples).places.tolist() == [[10], [20], [30]]


def test_attributes_of_other_names_are_taken_in_order():
    samples = located(noisy("euclidean", 1.5), 400, seed=9, names=("shown_row", "shown_col"))
    strategy = fit(Metric(), samples)
    assert strategy.template.names == ["shown_row", "shown_col"]
    np.testing.assert_array_equal(strategy.places, GRID)


def test_without_shared_coordinates_it_refuses():
    samples = Samples.of(["a", "b"] * 5, {"time": np.arange(10.0), "size": np.arange(10.0)})
    payoff = samples.bind("bayes")
    assert Metric().suits(samples, payoff) == "secrets and observables share no coordinates"
    with pytest.raises(InputError, match=r"none of the columns time, size .* name the secrets'"):
        Metric().fit(samples, payoff)
    at_home = located(noisy("euclidean", 1.0), 50, seed=0)
    assert Metric().suits(at_home, at_home.bind("bayes")) is None


def test_far_away_observables_do_not_underflow():
    samples = located(noisy("euclidean", 2.0), 300, seed=10)
    far = Observables.of({"row": [1e5], "col": [2.0]})
    strategy = fit(Metric(), samples)
    assert np.isfinite(strategy.posterior(far)).all()
    assert strategy.guess(far)[0] >= 30  # the last row of the grid is the nearest


def test_what_is_infinitely_far_is_judged_by_the_frequencies():
    """The largest number there is squares to infinity; so it does among what was learned from."""
    largest = np.finfo(float).max
    codes = np.array([0, 0, 0, 1, 2] * 20)
    samples = Samples.of(codes, {"y": np.append(codes[:-5], np.full(5, largest))})
    strategy = Metric(prior="smoothed").fit(samples, samples.bind("bayes"))
    posterior = strategy.posterior(Observables.of({"y": [largest, -largest, 2.0]}))
    assert posterior.argmax(axis=1).tolist() == [0, 0, 2]


def test_observables_that_tell_everything():
    codes = np.arange(36).repeat(3)
    shown = Observables.of({"row": GRID[codes, 0], "col": GRID[codes, 1]})
    samples = Samples(codes, np.arange(36), shown, {"row": GRID[:, 0], "col": GRID[:, 1]})
    np.testing.assert_array_equal(fit(Metric(), samples).guess(shown), codes)


def test_many_points_are_sampled_for_the_parameters_only():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 200, 30_000)
    samples = Samples.of(codes, {"y": codes + rng.laplace(size=30_000) * 3})
    strategy = fit(Metric(prior="smoothed"), samples)
    assert strategy.decay == pytest.approx(1 / 3, rel=0.1)
    assert np.ptp(strategy.weights - np.bincount(codes)) < 1e-9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"distance": "euclidian"}, "unknown distance 'euclidian' of 'metric'; did you mean"),
        ({"prior": "no"}, "unknown prior 'no' of 'metric'; did you mean 'none'"),
        ({"route": "guess"}, "the route of 'metric' must be 'secret', got 'guess'"),
    ],
)
def test_unknown_options_are_refused(options, message):
    samples = located(noisy("euclidean", 1.0), 50, seed=0)
    with pytest.raises(InputError, match=message):
        fit(Metric(**options), samples)
