"""The protocol: split, choose, train, certify."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, overload

import numpy as np

from gleak.adaptive import estimate_live
from gleak.adversaries import PosteriorStrategy, Route
from gleak.adversaries import adversary as as_adversary
from gleak.adversaries.frequentist import Frequentist
from gleak.bounds import check_confidence
from gleak.certificate import Evidence, blind_guesses, certify
from gleak.certify import Scored, Weighing
from gleak.channel import Channel
from gleak.concerns import concerns
from gleak.errors import InputError
from gleak.field import field
from gleak.gain import Gain
from gleak.gain_spec import as_gain
from gleak.joining import joined
from gleak.labels import Codes
from gleak.observables import Observables
from gleak.parallel import Engine, Runner, one_thread
from gleak.payoff import Floats, Guesses, Payoff
from gleak.prior import prior_over
from gleak.result import Counts, Estimate, Provenance
from gleak.samples import Samples
from gleak.splits import folds as fold_rows
from gleak.splits import holdout as holdout_rows
from gleak.system import System
from gleak.tallies import fingerprint, per_guess, per_secret
from gleak.tournament import Choice, Progress, fixed, tournament

Split = Literal["random", "blocked"]

HOLDOUT = 0.5
"""The share of the samples that certifies where nothing is said."""


@dataclass(frozen=True)
class Protocol:
    """How an estimate is made; every option of ``estimate`` but the samples and the gains."""

    adversary: Any = "auto"
    route: Route | Literal["auto"] = "auto"
    prior: Any = "empirical"
    holdout: float = HOLDOUT
    split: Split = "random"
    folds: int | None = None
    confidence: float = 0.95
    jobs: int = 1
    engine: Engine = "local"

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        if self.split not in ("random", "blocked"):
            raise InputError.must("the split", "'random' or 'blocked'", repr(self.split))
        if self.folds is not None and self.folds < 2:
            raise InputError.must("the number of folds", "at least 2", self.folds)
        if self.folds is not None and self.holdout != HOLDOUT:
            raise InputError("in folds every row certifies once: give holdout or folds, not both")
        if self.route not in ("auto", "secret", "guess"):
            raise InputError.must("the route", "'auto', 'secret' or 'guess'", repr(self.route))
        self.runner  # noqa: B018 - refuses jobs and engines that make no sense

    @property
    def runner(self) -> Runner:
        """Where its work runs."""
        return Runner(self.jobs, self.engine)


@overload
def estimate(samples: Any, gain: str | Gain = ..., **options: Any) -> Estimate: ...
@overload
def estimate(samples: Any, gain: Sequence[str | Gain], **options: Any) -> list[Estimate]: ...
def estimate(
    samples: Any,
    gain: str | Gain | Sequence[str | Gain] = "bayes",
    *,
    certify_on: Samples | None = None,
    rng: np.random.Generator | int | None = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Estimate | list[Estimate]:
    """How much a system gives away: the strongest attacker found, and what is proven.

    Samples are parted: on the first part the attacker is chosen and trained, on the second its
    gains are counted. Other samples to count on may be given as ``certify_on``. ``options`` are
    those of ``Protocol``: adversary, route, prior, holdout, split, folds, confidence, jobs,
    engine. Several gains are answered from one training per family.

    A live system (a function, a channel, a ``Command``) may be given instead of samples, with a
    ``precision``: it is asked until the answer is that precise; see ``adaptive.estimate_live``.

    >>> from gleak import Channel
    >>> channel = Channel([[0.9, 0.1], [0.1, 0.9]])
    >>> found = estimate(Samples.of(*channel.sample(4000, rng=0)))
    >>> found.verdict, found.vulnerability.lower < 0.9 < found.vulnerability.upper
    ('leaks', True)
    """
    if not isinstance(samples, Samples):
        _check_system(samples, certify_on)
        return estimate_live(samples, gain, rng=rng, progress=progress, **options)
    protocol = Protocol(**options)
    gains, seed = _gains(gain), _seed(rng)
    estimation = _Estimation(
        samples if certify_on is None else _with(samples, certify_on, protocol),
        len(samples) if certify_on is not None else None, protocol, seed,
        np.random.default_rng(rng), progress or _silent,
    )  # fmt: skip
    with one_thread():
        found = estimation.run(gains)
    return found[0] if isinstance(gain, str | Gain) else found


def _check_system(which: Any, certify_on: object) -> None:
    """Refuse what is neither samples nor a system that could be asked."""
    if not (isinstance(which, Channel | System) or callable(which)):
        raise InputError.must(
            "what is estimated", "Samples, or a system that can be asked",
            f"a {type(which).__name__}",
            remedy="make samples of it with gleak.read, Samples.of or Samples.from_frame",
        )  # fmt: skip
    if certify_on is not None:
        raise InputError("certify_on is for samples; a system is asked for its own")


def _gains(given: str | Gain | Sequence[str | Gain]) -> list[str | Gain]:
    if isinstance(given, str | Gain):
        return [given]
    gains = list(given) if isinstance(given, Iterable) else [as_gain(given)]
    if not gains:
        raise InputError("there is no gain to estimate; leave it out for 'bayes'")
    return gains


def _seed(rng: np.random.Generator | int | None) -> int | None:
    """The number that makes the result again, where there is one."""
    if not isinstance(rng, int | np.integer):
        return None
    if rng < 0:
        raise InputError.must("the seed", "a whole number from 0 on", rng)
    return int(rng)


def _with(samples: Samples, certify_on: Samples, protocol: Protocol) -> Samples:
    """All samples, those that certify last."""
    if not isinstance(certify_on, Samples):
        raise InputError.must("certify_on", "Samples", f"a {type(certify_on).__name__}")
    if protocol.folds is not None:
        raise InputError("other samples certify, so there is nothing to part in folds: leave one")
    return joined(samples, certify_on)


def _silent(_: str, __: float) -> None:
    """Nobody watches."""


def _turn(progress: Progress, turn: int, turns: int) -> Progress:
    """The progress of one of several equal parts of the work."""
    return lambda what, done: progress(what, (turn + done) / turns)


@dataclass(frozen=True)
class Part:
    """Rows to learn from and rows to certify on; over all parts each row certifies once."""

    learn: Codes
    certify: Codes


@dataclass(frozen=True)
class _Estimation:
    """One run of the protocol over some samples, for any number of gains."""

    samples: Samples
    learn_first: int | None
    protocol: Protocol
    seed: int | None
    rng: np.random.Generator
    progress: Progress

    def run(self, gains: Sequence[str | Gain]) -> list[Estimate]:
        """An estimate for each gain, those that see the same secrets learned together."""
        by_part, *by_view = self.rng.spawn(1 + len(gains))
        parts = self._parts(by_part)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        origin = Provenance(self.seed, fingerprint(self.samples), created)
        found: dict[int, Estimate] = {}
        together = self._views(gains)
        for turn, (places, rng) in enumerate(zip(together, by_view, strict=False)):
            views = [self.samples.under(gains[place]) for place in places]
            payoffs = [payoff for _, payoff in views]
            progress = _turn(self.progress, turn, len(together))
            view = _View(self.samples, views[0][0], parts, self.protocol, progress)
            names = [_name(gains[place]) for place in places]
            found |= zip(places, view.estimates(names, payoffs, rng, origin), strict=True)
        return [found[place] for place in range(len(gains))]

    def _views(self, gains: Sequence[str | Gain]) -> list[list[int]]:
        """Gains that see the same secrets, together; a class of the secret is a secret anew."""
        classes = [as_gain(g).classes(self.samples.secrets, self.samples.attributes) for g in gains]
        whole = [place for place, found in enumerate(classes) if found is None]
        apart = [[place] for place, found in enumerate(classes) if found is not None]
        return ([whole] if whole else []) + apart

    def _parts(self, rng: np.random.Generator) -> list[Part]:
        protocol, samples = self.protocol, self.samples
        everyone = np.arange(len(samples))
        if self.learn_first is not None:
            return [Part(everyone[: self.learn_first], everyone[self.learn_first :])]
        if samples.groups is not None and protocol.split == "blocked":
            raise InputError("a blocked split would part groups: give a group or 'blocked'")
        kind = None if samples.groups is not None else protocol.split
        if protocol.folds is not None:
            parts = fold_rows(samples, protocol.folds, kind=kind, rng=rng)
            return [Part(np.setdiff1d(everyone, rows), rows) for rows in parts]
        return [Part(*holdout_rows(samples, protocol.holdout, kind=kind, rng=rng))]


@dataclass(frozen=True)
class _View:
    """Samples as some gains see them: their secrets may be classes of the recorded ones."""

    recorded: Samples
    seen: Samples
    parts: list[Part]
    protocol: Protocol
    progress: Progress

    def estimates(
        self,
        names: Sequence[str],
        payoffs: Sequence[Payoff],
        rng: np.random.Generator,
        origin: Provenance,
    ) -> list[Estimate]:
        """One estimate per payoff, all from the same training."""
        chosen = [
            self._chosen(part, payoffs, by_part, _turn(self.progress, turn, len(self.parts)))
            for turn, (part, by_part) in enumerate(self._spawned(rng))
        ]
        absent = tuple(dict.fromkeys(line for _, lines in chosen for line in lines))
        guessed = [
            self._guesses(part, choices)
            for part, (choices, _) in zip(self.parts, chosen, strict=True)
        ]
        return [
            self._estimate(
                name, payoff, chosen[0][0][place], [guesses[place] for guesses in guessed],
                absent, origin,
            )
            for place, (name, payoff) in enumerate(zip(names, payoffs, strict=True))
        ]  # fmt: skip

    def _guesses(self, part: Part, choices: Sequence[Choice]) -> list[Guesses]:
        """What each attacker guesses on the certifying rows; those of one name know the same."""
        seen = self.seen.observables.take(part.certify)
        found: dict[int, Guesses] = {}
        for name in dict.fromkeys(choice.name for choice in choices):
            places = [place for place, choice in enumerate(choices) if choice.name == name]
            strategies = [choices[place].strategy for place in places]
            if isinstance(strategies[0], PosteriorStrategy):
                payoffs = [strategy.payoff for strategy in strategies]
                guesses = strategies[0].guesses_under(seen, payoffs)
            else:
                guesses = [strategy.guess(seen) for strategy in strategies]
            found |= zip(places, guesses, strict=True)
        return [found[place] for place in range(len(choices))]

    def _spawned(self, rng: np.random.Generator) -> list[tuple[Part, np.random.Generator]]:
        return list(zip(self.parts, rng.spawn(len(self.parts)), strict=True))

    def _chosen(
        self,
        part: Part,
        payoffs: Sequence[Payoff],
        rng: np.random.Generator,
        progress: Progress,
    ) -> tuple[list[Choice], list[str]]:
        """The attacker for each payoff, from the learning rows and from nothing else."""
        train = self.seen.take(part.learn)
        if self.prior is not None:
            weights = self._weighing(part.learn).rows * len(part.learn)
            kept = weights > 0
            train = replace(train, weights=weights).take(kept)
        which, route = self.protocol.adversary, self.protocol.route
        if which == "auto" and route != "guess":
            candidates = field(train, payoffs[0])
            return tournament(
                train, payoffs, candidates, rng=rng, runner=self.protocol.runner,
                progress=progress,
            )  # fmt: skip
        adversary = as_adversary("trees" if which == "auto" else which)
        if route != "auto":
            adversary = replace(adversary, route=route)  # type: ignore[type-var]
        return fixed(adversary, train, payoffs, rng=rng, progress=progress), []

    @property
    def prior(self) -> Floats | None:
        """The prior over the recorded secrets, where it is known."""
        return prior_over(self.recorded.secrets, self.protocol.prior)

    def _weighing(self, rows: Codes) -> Weighing:
        return Weighing(self.seen.take(rows), self.prior, self.recorded.codes[rows])

    def _estimate(
        self,
        name: str,
        payoff: Payoff,
        choice: Choice,
        guessed: Sequence[Guesses],
        absent: tuple[str, ...],
        origin: Provenance,
    ) -> Estimate:
        scored = [
            Scored(self._weighing(part.certify), payoff, guesses)
            for part, guesses in zip(self.parts, guessed, strict=True)
        ]
        blind = [
            Scored(fold.weighing, payoff, self._blind_guesses(part, payoff))
            for part, fold in zip(self.parts, scored, strict=True)
        ]
        whole = self._weighing(np.arange(len(self.seen)))
        evidence = Evidence(payoff, scored, blind, whole, self.public, self._prior_seen)
        certificate = certify(evidence, self.protocol.confidence)
        worries = concerns(self.seen, self.parts, scored, blind, whole)
        return Estimate(
            name, certificate, self.protocol.confidence, choice, self._counts(choice),
            (*absent, *worries), origin, per_secret(scored), per_guess(scored), evidence,
        )  # fmt: skip

    @property
    def public(self) -> Observables:
        """What is known beforehand: the public columns, or nothing but a constant."""
        if self.seen.public:
            return self.seen.observables.select(self.seen.public)
        return Observables.of(np.zeros(len(self.seen)))

    @property
    def _prior_seen(self) -> Floats | None:
        prior = self.prior
        if prior is None or self.seen is self.recorded:
            return prior
        class_of = np.zeros(len(prior), dtype=np.intp)
        class_of[self.recorded.codes] = self.seen.codes
        return np.asarray(np.bincount(class_of, prior, len(self.seen.secrets)), dtype=np.float64)

    def _blind_guesses(self, part: Part, payoff: Payoff) -> Guesses:
        train = self.seen.take(part.learn)
        if self.prior is not None:
            train = replace(train, weights=np.maximum(self._weighing(part.learn).rows, 1e-300))
        if not self.seen.public:
            return blind_guesses(payoff, train.frequencies, len(part.certify))
        public = replace(train, observables=self.public.take(part.learn), public=())
        return Frequentist().fit(public, payoff).guess(self.public.take(part.certify))

    def _counts(self, choice: Choice) -> Counts:
        learn, certify = (len(rows) for rows in (self.parts[0].learn, self.parts[0].certify))
        if len(self.parts) > 1:
            certify = len(self.seen)
        distinct = len(self.seen.observables.distinct.first)
        return Counts(
            len(self.seen), learn, choice.compared, certify, len(self.seen.secrets), distinct
        )


def _name(gain: str | Gain) -> str:
    return gain if isinstance(gain, str) else gain.name
