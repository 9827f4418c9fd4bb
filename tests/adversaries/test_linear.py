import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from gleak.adversaries import Linear
from gleak.adversaries.linear import Curves
from gleak.errors import InputError
from gleak.mechanisms import geometric
from gleak.observables import Observables
from gleak.samples import Samples


def fit(samples: Samples, adversary: Linear | None = None, gain="bayes"):
    return (adversary or Linear()).fit(samples, samples.bind(gain), rng=0)


@pytest.mark.parametrize("strength", [0, -1.0, float("nan"), float("inf"), "strong"])
def test_a_strength_that_makes_no_sense_is_refused(strength):
    with pytest.raises(InputError, match="strength of 'linear' must be None or a positive number"):
        fit(Samples.of([0, 1, 0, 1], [1, 2, 1, 3]), Linear(strength=strength))


def test_noise_of_exponential_tails_is_a_broken_line_in_log_odds():
    """1,000 outputs, ten secrets, 5,000 samples: within one part in a hundred of the optimum."""
    channel = geometric(1000, nu=0.03, centres=np.arange(10) * 100 + 50)
    codes, seen = channel.sample(5000, rng=0)
    strategy = fit(Samples.of(codes, seen))
    earned = channel.value(strategy.guess(Observables.of(np.arange(1000))))
    assert earned > 0.99 * channel.posterior_vulnerability()


def test_a_line_of_two_values_is_plain_logistic_regression():
    """Recomputed with scikit-learn from standardised columns, row by row."""
    rng = np.random.default_rng(1)
    shown = rng.integers(0, 2, (500, 3))
    codes = (shown @ [1, 2, -1] + rng.logistic(size=500) > 1).astype(int)
    samples = Samples.of(codes, shown)
    posterior = fit(samples, Linear(strength=3.0)).posterior(samples.observables)
    table = (shown - shown.mean(axis=0)) / shown.std(axis=0)
    expected = LogisticRegression(C=3.0).fit(table, codes).predict_proba(table)
    np.testing.assert_allclose(posterior, expected, atol=2e-4)


def test_a_middle_can_be_told_from_both_ends():
    rng = np.random.default_rng(2)
    shown = rng.uniform(-1, 1, 1000)
    samples = Samples.of((np.abs(shown) < 0.5).astype(int), shown)
    assert fit(samples).gains(samples).mean() > 0.95


def test_knots_lie_at_every_value_where_they_are_few():
    curves = Curves.of(Observables.of([3.0, 1.0, 7.0, 9.0]), np.ones(4))
    ((_, knots),) = curves.knots
    knots = knots * curves.design.scale + curves.design.centre
    np.testing.assert_allclose(knots, [1, 3, 7, 9])
    # A hat for each value and the line itself.
    assert curves(Observables.of([3.0])).toarray().round(6)[0, 1:].tolist() == [0, 1, 0, 0]


def test_one_outlier_does_not_hide_the_rest():
    rng = np.random.default_rng(3)
    shown = np.append(rng.integers(0, 4, 600), 1e12)
    samples = Samples.of(np.append(shown[:-1] % 2, 0).astype(int), shown)
    assert fit(samples).gains(samples).mean() > 0.99


@pytest.mark.parametrize(("columns", "curved"), [(1, 1), (48, 48), (49, 0), (200, 0)])
def test_many_columns_get_straight_lines(columns, curved):
    table = np.random.default_rng(4).normal(size=(300, columns))
    curves = Curves.of(Observables.of(table), np.ones(300))
    assert len(curves.knots) == curved
    width = curves(Observables.of(table)).shape[1]
    assert width <= columns + 240


def test_a_stronger_penalty_is_chosen_where_less_is_to_be_learned():
    rng = np.random.default_rng(5)
    shown = rng.uniform(0, 10, 2000)
    mute = Samples.of(rng.integers(0, 2, 2000), shown)
    clear = Samples.of((shown > 5).astype(int), shown)
    weak, strong = (fit(samples).scores.scores.model.C for samples in (mute, clear))
    assert weak < strong


def test_hundreds_of_secrets():
    rng = np.random.default_rng(6)
    codes = np.concatenate([np.arange(300), rng.integers(0, 300, 3000)])
    samples = Samples.of(codes, codes + rng.laplace(size=3300) * 2)
    guesses = fit(samples, Linear(strength=100.0)).guess(samples.observables)
    assert np.abs(guesses - codes).mean() < 8
