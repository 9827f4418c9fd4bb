"""The four systems against figures and computations of their own."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gleak.adversaries._base import Strategy
from gleak.errors import InputError
from gleak.experiments import EXPERIMENTS, experiment
from gleak.experiments._base import Experiment
from gleak.observables import Observables

TRUTH = {
    "multiple_guesses": (0.891726, 0.2),
    "location": (2.0, 0.247177),
    "differential_privacy": (0.683512, 0.541254),
    "password": (0.675762, 0.5),
}


class Blind(Strategy):
    """Always the guess that is best without seeing anything."""

    def __init__(self, study: Experiment) -> None:
        self.payoff = study.payoff
        self.best = study.payoff.best(study.prior[None])

    def _guess(self, points):
        return np.repeat(self.best, len(points), axis=0)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_vulnerabilities(name: str) -> None:
    study = experiment(name)
    assert study.name == name
    assert study.vulnerability == pytest.approx(TRUTH[name][0], abs=5e-7)
    assert study.prior_vulnerability == pytest.approx(TRUTH[name][1], abs=5e-7)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_nobody_beats_the_optimum_and_it_has_no_gap(name: str) -> None:
    study = experiment(name)
    examined = study.examine(study.optimal)
    assert examined.value == pytest.approx(study.vulnerability)
    assert (examined.gap, examined.standard_error) == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_blind_guess_is_worth_the_prior_vulnerability(name: str) -> None:
    study = experiment(name)
    examined = study.examine(Blind(study))
    # Sampled points: five standard errors, which are 0 where the value is exact.
    error = 5 * examined.standard_error
    assert examined.gap == pytest.approx(
        1 - study.prior_vulnerability / study.vulnerability, abs=error + 1e-12
    )
    assert study.value(Blind(study)) == examined.value
    assert study.gap(Blind(study)) == examined.gap


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_samples_earn_what_is_promised(name: str) -> None:
    study = experiment(name)
    samples = study.sample(40_000, rng=7)
    for strategy, wanted in (
        (study.optimal, study.vulnerability),
        (Blind(study), study.prior_vulnerability),
    ):
        gains = strategy.gains(samples)
        assert abs(gains.mean() - wanted) < 4 * gains.std() / np.sqrt(len(gains))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_secrets_follow_the_prior_and_seeds_repeat(name: str) -> None:
    study = experiment(name)
    samples, again = (study.sample(20_000, rng=3) for _ in range(2))
    assert (samples.codes == again.codes).all()
    assert (samples.observables.matrix() == again.observables.matrix()).all()
    possible = study.prior > 0
    counts = np.bincount(samples.codes, minlength=len(study.prior))
    assert counts[~possible].sum() == 0
    assert stats.chisquare(counts[possible], 20_000 * study.prior[possible]).pvalue > 1e-3


@pytest.mark.parametrize(
    ("name", "secret"), [("multiple_guesses", 3), ("location", 250), ("password", 1)]
)
def test_answers_follow_the_channel(name: str, secret: int) -> None:
    study = experiment(name)
    row = study.system.channel.matrix[secret]
    answers = study.draw(np.full(20_000, secret), np.random.default_rng(5))
    codes = study.system._places(answers)
    # Cells of at least ten expected answers: neighbouring observables put together.
    bins = np.floor(np.cumsum(row) * 50).clip(max=49).astype(int)
    expected = np.bincount(bins, row)
    counts = np.bincount(bins[codes], minlength=len(expected))
    assert counts[expected == 0].sum() == 0
    kept = expected > 0
    assert stats.chisquare(counts[kept], 20_000 * expected[kept]).pvalue > 1e-3


def test_unknown_experiments_and_observables_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'password'"):
        experiment("pasword")
    study = experiment("password")
    strangers = Observables.of({"time": [200]})
    with pytest.raises(InputError, match=r"some that the system shows, got \[200\.0\]"):
        study.optimal.guess(strangers)


def test_optimal_posterior_plays_other_gains() -> None:
    study = experiment("multiple_guesses")
    one_try = study.system.channel.bind("bayes")
    guesses = study.optimal.under(one_try).guess(study.system.shown)
    assert study.system.channel.value(guesses) == pytest.approx(
        study.system.channel.posterior_vulnerability()
    )


def test_standard_error_is_what_it_says() -> None:
    # The blind guess's gap, from systems examined at points of their own.
    found = []
    for examined in range(1_000, 1_040):
        system = replace(experiment("differential_privacy").system, examined=examined)
        few = Experiment(
            name="few", system=system, gain=experiment("differential_privacy").gain, sizes=()
        )
        found.append(few.examine(Blind(few)))
    spread = np.std([one.gap for one in found], ddof=1)
    # The ratio's square is chi-square with 39 degrees of freedom, over 39.
    ratio = (spread / np.mean([one.standard_error for one in found])) ** 2 * 39
    assert stats.chi2.ppf(1e-3, 39) < ratio < stats.chi2.ppf(1 - 1e-3, 39)
