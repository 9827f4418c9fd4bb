"""Choosing the strongest attacker, on samples that certify nothing.

The paper advises to keep the attacker with the highest leakage. Done on the samples that
certify, that is biased; done here, on samples that neither train nor certify, it costs nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from gleak.adversaries import Adversary, PosteriorStrategy, Strategy
from gleak.adversaries.blend import BlendStrategy, blend_weights
from gleak.adversaries.blind import Blind
from gleak.adversaries.calibrated import CalibratedStrategy
from gleak.field import Candidate
from gleak.likely_prior import evened
from gleak.parallel import Runner
from gleak.payoff import Floats, Payoff
from gleak.samples import Samples
from gleak.trials import Attempt, Bout, Trial, bouts, judged, run

_FIRST, _GROWTH = 1_500, 5
"""Rows that the first round trains on, and by how much each round grows."""

_BEHIND = 3.0
"""Standard errors by which a costly family must be behind to be dropped."""

_AHEAD = 1.0
"""Standard errors by which a gain must be higher to outdo the better posterior."""

_MEMBER = 0.05
"""The share of the blend below which a member is left out."""

_TRIALS = 0.9
"""The share of the work that choosing is; the rest is training the winner on every sample."""

Progress = Callable[[str, float], None]
"""Told what was just tried, and the share of the work that is done."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the leaderboard: a family's mean gain on samples that trained none of it."""

    name: str
    route: str
    score: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What the best attacker earned after training on so many samples, ± a standard error."""

    samples: int
    name: str
    score: float
    error: float


@dataclass(frozen=True)
class Choice:
    """The strongest attacker for one payoff, trained on every training sample."""

    strategy: Strategy
    name: str
    route: str
    parameters: dict[str, Any]
    leaderboard: tuple[Entry, ...] = ()
    curve: tuple[CurvePoint, ...] = ()
    compared: int = 0
    """Training rows on which families were compared; none where one was asked for."""


def fixed(
    adversary: Adversary,
    train: Samples,
    payoffs: Sequence[Payoff],
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> list[Choice]:
    """The one attacker that was asked for; on the secret route one training serves all payoffs."""

    def fit(place: int) -> Strategy:
        def tell(done: float) -> None:
            what = f"training {adversary.name} on {len(train):,} samples"
            progress(what, (place + done) / len(payoffs))

        tell(0.0)
        return adversary.watched(tell).fit(train, payoffs[place], rng=rng)

    first, (name, route, parameters) = fit(0), _described(adversary)
    return [
        Choice(
            first.under(payoff) if isinstance(first, PosteriorStrategy) else
            (first if place == 0 else fit(place)),
            name, route, parameters,
        )
        for place, payoff in enumerate(payoffs)
    ]  # fmt: skip


def tournament(
    train: Samples,
    payoffs: Sequence[Payoff],
    candidates: Sequence[Candidate],
    *,
    rng: np.random.Generator,
    runner: Runner,
    progress: Progress,
) -> tuple[list[Choice], list[str]]:
    """The strongest attacker for each payoff, and who could not take part and why.

    One training per family serves every payoff: what competes are posteriors.
    """
    by_split, by_round, by_winner = rng.spawn(3)
    contest = _Contest(bouts(train, by_split), tuple(payoffs), runner, progress)
    everyone = [Candidate(Blind()), *candidates]
    rounds = contest.rounds(everyone, by_round)
    blend = contest.blend(rounds[-1][1])
    finalists = rounds[-1][1] + ([] if blend is None else [blend.trial])
    winners = [contest.strongest(finalists, place) for place in range(len(payoffs))]
    trained = _Trained(evened(train), payoffs[0], by_winner.spawn(len(everyone)), everyone)
    choices = []
    for place, (winner, payoff) in enumerate(zip(winners, payoffs, strict=True)):
        progress(f"training {winner.name} on all {len(train):,} training samples", _TRIALS)
        board = contest.leaderboard(finalists, place)
        curve = tuple(contest.point(size, trials, place) for size, trials in rounds)
        if blend is not None and winner is blend.trial:
            strategy: Strategy = blend.strategy(trained, payoff)
            name, route, options = "blend", "secret", blend.parameters
        else:
            strategy = trained.strategy(winner, payoff)
            name, (_, route, options) = winner.name, _described(winner.candidate.adversary)
        compared = len(contest.weights)
        choices.append(Choice(strategy, name, route, options, board, curve, compared))
    return choices, contest.absent


@dataclass
class _Trained:
    """Winners trained on every training sample, each once."""

    train: Samples
    payoff: Payoff
    rngs: Sequence[np.random.Generator]
    everyone: Sequence[Candidate]

    def __post_init__(self) -> None:
        self._done: dict[int, Strategy] = {}

    def strategy(self, trial: Trial, payoff: Payoff) -> Strategy:
        """Whoever was tried, trained on every sample; as calibrated as the trial was."""
        candidate = trial.candidate
        place = [other.label for other in self.everyone].index(candidate.label)
        if place not in self._done:
            fit = candidate.adversary.fit
            self._done[place] = fit(self.train, self.payoff, rng=self.rngs[place])
        found = self._done[place]
        if not isinstance(found, PosteriorStrategy):
            return found
        return self.calibrated(found.under(payoff), trial)

    def calibrated(self, strategy: PosteriorStrategy, trial: Trial) -> PosteriorStrategy:
        """A strategy with the calibration that a trial called for."""
        if trial.calibration is None:
            return strategy
        frequencies = self.train.frequencies
        return CalibratedStrategy(strategy.payoff, strategy, frequencies, trial.calibration)


@dataclass(frozen=True)
class _Blend:
    """Near-equal families as one, and what it did on the samples compared on."""

    members: tuple[Trial, ...]
    weights: tuple[float, ...]
    trial: Trial

    @property
    def parameters(self) -> dict[str, Any]:
        names = (member.name for member in self.members)
        return {name: round(w, 6) for name, w in zip(names, self.weights, strict=True)}

    def strategy(self, trained: _Trained, payoff: Payoff) -> PosteriorStrategy:
        """The same mixture of members trained on every sample, as calibrated as the trial was."""
        members = [trained.strategy(member, payoff) for member in self.members]
        kept = tuple(member for member in members if isinstance(member, PosteriorStrategy))
        return trained.calibrated(BlendStrategy(payoff, kept, self.weights), self.trial)


@dataclass
class _Contest:
    """The samples compared on, and what is asked of those who compete."""

    bouts: tuple[Bout, ...]
    payoffs: tuple[Payoff, ...]
    runner: Runner
    progress: Progress

    def __post_init__(self) -> None:
        self.absent: list[str] = []
        compared = [bout.compare for bout in self.bouts]
        weights = [np.ones(len(c)) if c.weights is None else c.weights for c in compared]
        self.weights: Floats = np.concatenate(weights)

    def rounds(
        self, standing: list[Candidate], rng: np.random.Generator
    ) -> list[tuple[int, list[Trial]]]:
        """Everyone on few samples, then who is left on more, until all samples are used."""
        most = min(len(bout.train) for bout in self.bouts)
        sizes = [size for size in (_FIRST * _GROWTH**i for i in range(9)) if size * 2 < most]
        found: list[tuple[int, list[Trial]]] = []
        whole = sum([*sizes, most])
        for size, source in zip([*sizes, most], rng.spawn(len(sizes) + 1), strict=True):
            before = sum(size for size, _ in found)
            trials = self._round(standing, size, source, (before / whole, size / whole))
            found.append((size, trials))
            standing = [t.candidate for t in trials if size == most or self._stands(t, trials)]
        return found

    def _round(
        self,
        standing: list[Candidate],
        size: int,
        rng: np.random.Generator,
        share: tuple[float, float],
    ) -> list[Trial]:
        """``share`` is how much of the work lies before this round, and how much in it."""
        rngs = rng.spawn(len(standing))
        attempts = [
            Attempt(candidate, self.bouts, size, self.payoffs, source)
            for candidate, source in zip(standing, rngs, strict=True)
        ]
        trials: list[Trial] = []
        answers, news = self.runner.map(run, attempts), ""
        for place, candidate in enumerate(standing):
            done = share[0] + share[1] * place / len(standing)
            self.progress(f"{news}trying {candidate.label} on {size:,} samples", _TRIALS * done)
            answer = next(answers)
            if isinstance(answer, str):
                self.absent.append(answer)
                news = f"{candidate.label} gave up; "
            else:
                trials.append(answer)
                news = f"{candidate.label} earned {self._mean(answer.gains[0]):.4f}; "
        return trials

    def _stands(self, trial: Trial, trials: Sequence[Trial]) -> bool:
        """Whether a family may still win: only costly ones have to prove themselves.

        It stands where its posterior is the likeliest, where it leads a gain, and where it is not
        behind in all gains together, each by its range.
        """
        if not trial.candidate.costly:
            return True
        if trial.log_loss <= min(other.log_loss for other in trials):
            return True
        leaders = [self._highest(trials, place) for place in range(len(self.payoffs))]
        if any(leader is trial for leader in leaders):
            return True
        behind = np.zeros(len(self.weights))
        for place, (leader, payoff) in enumerate(zip(leaders, self.payoffs, strict=True)):
            width = (payoff.high - payoff.low) or 1.0
            behind += (leader.gains[place] - trial.gains[place]) / width
        return self._mean(behind) <= _BEHIND * self._error(behind)

    def _highest(self, trials: Sequence[Trial], place: int) -> Trial:
        """Who earned most of one gain."""
        return max(trials, key=lambda trial: self._mean(trial.gains[place]))

    def blend(self, trials: Sequence[Trial]) -> _Blend | None:
        """The best mixture of those who give posteriors, unless it is one of them alone."""
        likely = [(t, t.likelihood) for t in trials if t.likelihood is not None]
        shares = blend_weights([likelihood for _, likelihood in likely], self.weights)
        kept = [(trial, share) for (trial, _), share in zip(likely, shares, strict=True)
                if share >= _MEMBER]  # fmt: skip
        if len(kept) < 2:
            return None
        weights = np.array([share for _, share in kept]) / sum(share for _, share in kept)
        posteriors = tuple(
            np.einsum("m,mpx->px", weights.astype(np.float32), np.stack(parts))
            for parts in zip(*(trial.posteriors or () for trial, _ in kept), strict=True)
        )
        members = tuple(trial for trial, _ in kept)
        seconds = sum(trial.seconds for trial, _ in kept)
        himself = Candidate(Blind(), label="blend")
        trial = judged(himself, posteriors, self.bouts, self.payoffs, seconds)
        return _Blend(members, tuple(weights.tolist()), trial)

    def strongest(self, trials: Sequence[Trial], place: int) -> Trial:
        """The likeliest posterior, unless another attacker leads it in gain by more than noise.

        Gains are noisy, and near-equal families differ by less than their noise; the log-loss
        tells them apart with far fewer samples.
        """
        likeliest = min(trials, key=lambda trial: trial.log_loss)
        highest = self._highest(trials, place)
        lead = highest.gains[place] - likeliest.gains[place]
        return highest if self._mean(lead) > _AHEAD * self._error(lead) else likeliest

    def leaderboard(self, trials: Sequence[Trial], place: int) -> tuple[Entry, ...]:
        """Everyone in the last round, the strongest first."""
        entries = [
            Entry(t.name, t.candidate.adversary.route, self._mean(t.gains[place]), t.seconds)
            for t in trials
        ]
        return tuple(sorted(entries, key=lambda entry: -(entry.score or 0.0)))

    def point(self, size: int, trials: Sequence[Trial], place: int) -> CurvePoint:
        """The learning curve after one round."""
        best = self.strongest(trials, place)
        gains = best.gains[place]
        return CurvePoint(size, best.name, self._mean(gains), self._error(gains))

    def _mean(self, values: Floats) -> float:
        return float(np.average(values, weights=self.weights))

    def _error(self, values: Floats) -> float:
        """The standard error of that mean."""
        spread = (self.weights * (values - self._mean(values))) ** 2
        return float(np.sqrt(spread.sum()) / self.weights.sum())


def _described(adversary: Adversary) -> tuple[str, str, dict[str, Any]]:
    """Name, route and the options that JSON can hold."""
    options = {
        option.name: _plain(getattr(adversary, option.name))
        for option in fields(adversary)  # type: ignore[arg-type]
        if option.name != "route" and option.repr
    }
    return adversary.name, adversary.route, options


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | bool | None) else repr(value)
