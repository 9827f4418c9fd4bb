"""Estimates from a live system, asked until the answer is precise enough.

Rounds of training, each as large as all before it: the fresh answers of a round say how much the
attacker has learned from the round before, and training ends when learning from twice as many
answers is no longer worth the precision. Then the attacker is fixed, and fresh answers certify it
until the proven lower side is within the precision of the estimate.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from gleak.adversaries import adversary as as_adversary
from gleak.bounds import check_alpha
from gleak.campaign import Allowance, BudgetSpent, Campaign
from gleak.certificate import Evidence
from gleak.certify import Bracket, Scored, Weighing
from gleak.errors import InputError
from gleak.gain import Gain
from gleak.gain_spec import as_gain
from gleak.labels import Codes
from gleak.live_attacker import Answers, Learner, RouteChoice, Target
from gleak.live_certificate import live_certificate, tape_upper
from gleak.live_stages import Pilot, Stage, Staked, stage_for
from gleak.observables import Observables
from gleak.parallel import Engine, Runner
from gleak.payoff import Floats, IdentityPayoff
from gleak.population import Population
from gleak.result import Counts, Estimate, Provenance
from gleak.samples import Samples
from gleak.system import KnownChannel, as_system
from gleak.tallies import fingerprint, per_guess, per_secret
from gleak.tournament import Choice, Progress

_FIRST = 1_000
"""Answers of the first round, at least; ten for each secret if that is more."""


@dataclass(frozen=True)
class LiveProtocol:
    """How a live system is estimated; every option but the system, the gain and the file.

    ``queries``, ``seconds`` and ``rate`` are the budget. ``route`` is "secret", "guess" (channel
    pre-processing) or "auto", which tries both and keeps the better.
    """

    precision: float
    adversary: Any = "auto"
    route: RouteChoice = "auto"
    confidence: float = 0.95
    queries: int | None = None
    seconds: float | None = None
    rate: float | None = None
    jobs: int = 1
    engine: Engine = "local"

    def __post_init__(self) -> None:
        check_alpha(1 - self.confidence)
        if not (math.isfinite(self.precision) and self.precision > 0):
            raise InputError.must("the precision", "above 0", self.precision)
        if self.route not in ("auto", "secret", "guess"):
            raise InputError.must("the route", "'auto', 'secret' or 'guess'", repr(self.route))
        if self.adversary != "auto":  # before anybody is asked anything
            as_adversary(self.adversary)

    @property
    def budget(self) -> Allowance:
        """What may be asked."""
        return Allowance(self.queries, self.seconds, self.rate)

    @property
    def runner(self) -> Runner:
        """Where attackers are trained."""
        return Runner(self.jobs, self.engine)


@dataclass(frozen=True, slots=True)
class Spending:
    """What the answer cost, whether it is as precise as wanted, and what it would still cost."""

    queries: int
    training: int
    certifying: int
    precision: float
    reached: bool
    still: int | None
    """Queries that are expected to be still needed; None where training was not finished."""
    stopped: str


@dataclass(frozen=True, eq=False)
class LiveEstimate(Estimate):
    """An estimate from a live system; its bracket holds although it was stopped when it suited."""

    spending: Spending = field(kw_only=True)

    def at(self, confidence: float) -> "LiveEstimate":
        """The same estimate; when to stop was decided at one confidence, and it holds at that."""
        if confidence != self.confidence:
            raise InputError.must(
                "the confidence of a live estimate", f"{self.confidence:g}, as it was asked for",
                confidence, remedy="ask the system again with the confidence wanted",
            )  # fmt: skip
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON of schema version 1, with what was spent."""
        return super().to_dict() | {"live": asdict(self.spending)}


def estimate_live(
    system: Any,
    gain: str | Gain | Sequence[str | Gain] = "bayes",
    *,
    precision: float | None = None,
    secrets: Any = None,
    prior: Any = None,
    out: str | Path | None = None,
    rng: np.random.Generator | int | None = 0,
    progress: Progress | None = None,
    **options: Any,
) -> LiveEstimate:
    """How much a live system gives away, to within a precision.

    The system is a function of an array of secrets, a channel, or anything with
    ``draw(secrets, rng)``. ``secrets`` is a list of them, a file of them or a ``Population``; a
    channel knows its own. With ``out``, every answer is kept in an SQLite file, and the same call
    continues from it. ``options`` are those of ``LiveProtocol``.

    >>> from gleak import Channel
    >>> found = estimate_live(Channel([[0.9, 0.1], [0.2, 0.8]]), precision=0.02)
    >>> found.vulnerability.lower < 0.85 < found.vulnerability.upper, found.spending.reached
    (True, True)
    """
    if not isinstance(rng, int):
        raise InputError.must("rng", "a whole number where a system is asked", rng)
    if not isinstance(gain, str | Gain):
        raise InputError.must("the gain", "one, where a system is asked", "several")
    if precision is None:
        raise InputError("a system that is asked needs a precision to stop at; pass precision=…")
    protocol = LiveProtocol(precision, **options)
    asked = as_system(system)
    population = _population(asked, secrets, prior)
    say = progress or (lambda *_: None)
    name, target = gain if isinstance(gain, str) else gain.name, _target(population, gain)
    if out is None:
        campaign = Campaign(asked, population, rng, protocol.budget, progress=say)
        return _Run(campaign, target, protocol, name).estimate()
    purpose = (
        f"{name} to within {precision:g} at {protocol.confidence:g}, {protocol.route} route, "
        f"{_told(protocol.adversary)} attacker"
    )
    with Campaign.open(
        out, asked, population, seed=rng, budget=protocol.budget, purpose=purpose, progress=say
    ) as campaign:
        protocol = replace(protocol, queries=_first_budget(campaign, protocol.queries))
        return _Run(campaign, target, protocol, name).estimate()


def _told(adversary: Any) -> str:
    """An attacker by name: another one may not certify itself on answers that were seen."""
    return adversary if isinstance(adversary, str) else as_adversary(adversary).name


def _first_budget(campaign: Campaign, queries: int | None) -> int | None:
    """The queries allowed when the campaign was begun: they say what is asked, whoever pays more.

    How much of a budget is for training, and when wins are counted, is fixed beforehand.
    """
    file = campaign.file
    assert file is not None  # it was opened with one
    if not file.received:
        file.note("queries", json.dumps(queries))
    first: int | None = json.loads(file.noted("queries"))
    return first


def _population(system: Any, secrets: Any, prior: Any) -> Population:
    if isinstance(secrets, Population):
        return secrets
    if secrets is None:
        if not isinstance(system, KnownChannel):
            raise InputError(
                "a system that is asked needs the list of secrets to ask for; pass secrets=[…]"
            )
        known = system.population
        return known if prior is None else Population.of(known.secrets, prior, known.attributes)
    if isinstance(secrets, str | Path):
        return Population.read(secrets, prior)
    return Population.of(secrets, "uniform" if prior is None else prior)


def _target(population: Population, gain: str | Gain) -> Target:
    """The gain over these secrets, or over their classes where nothing else of them matters."""
    gain = as_gain(gain)
    classes = gain.classes(population.secrets, population.attributes)
    if classes is None:
        payoff = gain.bind(population.secrets, population.attributes)
        return Target(population, payoff, np.arange(len(population)))
    alphabet, class_of = np.unique(classes, return_inverse=True)
    return Target(population, IdentityPayoff(alphabet), class_of.astype(np.intp))


@dataclass
class _Run:
    """One adaptive run: what it has asked, and the attacker it has so far."""

    campaign: Campaign
    target: Target
    protocol: LiveProtocol
    name: str

    def __post_init__(self) -> None:
        options = self.protocol
        self.answers = Answers()
        self.certifying: list[tuple[Codes, Observables]] = []
        self.learner = Learner(
            self.target, options.adversary, options.runner, self.campaign.progress
        )
        self.rng = np.random.default_rng(self.campaign.seed)
        self.choice: Choice | None = None
        self.stage: Stage | None = None
        self.promised = self.target.payoff.low
        self.stopped = ""

    def estimate(self) -> LiveEstimate:
        """Ask until it is precise enough, or until nothing more may be asked."""
        try:
            pilot = self._train()
            self._certify(pilot)
        except BudgetSpent as spent:
            self.stopped = spent.reason
        return self._result()

    # Training

    def _train(self) -> Pilot:
        """The attacker, and what one much like it earned on answers that it had not seen."""
        routes = self.learner.routes(self.protocol.route)
        law = self.learner.law(routes)
        self._ask(self._first, law)
        before: Choice | None = None
        while before is None or self._affordable(2 * len(self.answers)):
            found = {route: self._fit(route) for route in routes}
            fresh = self._ask(len(self.answers), law)
            earned = {route: self._gains(choice, fresh) for route, choice in found.items()}
            best = max(found, key=lambda route: self._mean(earned[route], fresh))
            routes, self.choice = [best], found[best]
            self.promised = self._mean(earned[best], fresh)
            law = self.learner.law(routes)
            learned = None if before is None else earned[best] - self._gains(before, fresh)
            if learned is not None and not self._worth_more(learned, fresh):
                break
            before = self.choice
        pilot = Pilot(fresh[0], self._unit(earned[best]), fresh[2])
        self.choice = self._fit(best)
        return pilot

    @property
    def _first(self) -> int:
        """Answers of the first round; the training they begin leaves half of the budget."""
        wanted = max(_FIRST, 10 * len(self.target.population))
        queries = self.protocol.queries
        return wanted if queries is None else max(2, min(wanted, queries // 4))

    def _affordable(self, training: int) -> bool:
        queries = self.protocol.queries
        return queries is None or training <= queries // 2

    def _worth_more(self, learned: Floats, fresh: tuple[Codes, Observables, Floats]) -> bool:
        """Whether twice as many answers may still teach more than the precision is worth.

        A learning curve that falls off as a power of the answers gains less with each doubling
        than with the one before.
        """
        weights = fresh[2] / fresh[2].sum()
        gained = float(weights @ learned)
        error = math.sqrt(float((weights**2 * (learned - gained) ** 2).sum()))
        return gained + error > self.protocol.precision

    def _fit(self, route: str) -> Choice:
        return self.learner.fit(route, self.answers, self.rng.spawn(1)[0])

    def _gains(self, choice: Choice, fresh: tuple[Codes, Observables, Floats]) -> Floats:
        return self.learner.gains(choice.strategy, fresh[0], fresh[1])

    @staticmethod
    def _mean(gains: Floats, fresh: tuple[Codes, Observables, Floats]) -> float:
        return float(np.average(gains, weights=fresh[2]))

    def _ask(self, n: int, law: Floats) -> tuple[Codes, Observables, Floats]:
        population = self.target.population
        codes = population.spread(n, self.rng.spawn(1)[0], law)
        seen = self.campaign.ask(codes)
        weights = population.prior[codes] / law[codes]
        if not np.allclose(weights, 1):
            self._note("uneven", "yes")
        self.answers.add(codes, seen, weights)
        return codes, seen, weights

    # Certifying

    def _certify(self, pilot: Pilot) -> None:
        payoff, protocol = self.target.payoff, self.protocol
        if payoff.high <= payoff.low:
            return
        most = None if protocol.queries is None else protocol.queries - len(self.answers)
        self.stage = stage_for(
            self.target.population, pilot, protocol.precision / (payoff.high - payoff.low),
            self._alpha / 2, two_valued=payoff.two_valued, most=most,
        )  # fmt: skip
        if isinstance(self.stage, Staked):
            self._note("uneven", "yes")
        while not self._reached:
            codes = self.stage.block(self.rng.spawn(1)[0])
            seen = self.campaign.ask(codes)
            self.certifying.append((codes, seen))
            assert self.choice is not None  # training came before
            gains = self.learner.gains(self.choice.strategy, codes, seen)
            self.stage.count(codes, self._unit(gains))
            self._say()

        self._note("stopped", "when precise")

    def _note(self, what: str, value: str) -> None:
        if self.campaign.file is not None:
            self.campaign.file.note(what, value)

    @property
    def _alpha(self) -> float:
        return 1 - self.protocol.confidence

    @property
    def _reached(self) -> bool:
        stage, payoff = self.stage, self.target.payoff
        if stage is None:
            return payoff.high <= payoff.low
        wanted = self.protocol.precision / (payoff.high - payoff.low)
        return stage.asked > 0 and stage.estimate - stage.lower <= wanted

    def _unit(self, gains: Floats) -> Floats:
        payoff = self.target.payoff
        width = (payoff.high - payoff.low) or 1.0
        return np.asarray(np.clip((gains - payoff.low) / width, 0, 1))

    def _say(self) -> None:
        assert self.stage is not None  # certifying has begun
        lower, estimate = self._gain(self.stage.lower), self._gain(self.stage.estimate)
        done = min(1.0, self.stage.asked / self.stage.planned)
        self.campaign.progress(
            f"{self.stage.asked:,} of about {self.stage.planned:,} certifying answers: "
            f"at least {lower:.4f}, estimate {estimate:.4f}",
            done,
        )

    def _gain(self, unit: float) -> float:
        payoff = self.target.payoff
        return payoff.low + unit * (payoff.high - payoff.low)

    # The result

    def _result(self) -> LiveEstimate:
        if self.choice is None:
            raise InputError(
                f"{self.stopped} after {len(self.answers):,} answers, before an attacker was "
                "trained; allow more, and the same command continues where it stopped"
            )
        samples, everything = self._samples()
        bracket = self._bracket(everything)
        scored = self._scored(samples)
        return LiveEstimate(
            self.name, live_certificate(self.target, bracket), self.protocol.confidence,
            self.choice, self._counts(samples), tuple(self._warnings()), self._origin(samples),
            per_secret([scored]), per_guess([scored]), self._evidence(samples, scored),
            spending=self._spending(),
        )  # fmt: skip

    def _samples(self) -> tuple[Samples, Answers]:
        everything = Answers(
            [*self.answers.codes, *(codes for codes, _ in self.certifying)],
            [*self.answers.seen, *(seen for _, seen in self.certifying)],
        )
        return self.target.samples(everything.all_codes, everything.all_seen), everything

    def _bracket(self, everything: Answers) -> Bracket:
        payoff = self.target.payoff
        if payoff.high <= payoff.low:
            return Bracket.point(payoff.high)
        upper, reason = tape_upper(self.target, everything, self._alpha / 2)
        lower = payoff.low if self.stage is None else self._gain(self.stage.lower)
        certified = self.stage is not None and self.stage.asked > 0
        estimate = self._gain(self.stage.estimate) if certified and self.stage else self.promised
        return Bracket(lower, estimate, upper, reason).around(lower, upper)

    def _scored(self, samples: Samples) -> Scored:
        assert self.choice is not None  # no result without an attacker
        asked = sum(len(codes) for codes, _ in self.certifying)
        last = samples.take(slice(len(samples) - asked, None)) if asked else samples
        guesses = self.choice.strategy.guess(last.observables)
        return Scored(Weighing(last), self.target.payoff, guesses)

    def _evidence(self, samples: Samples, scored: Scored) -> Evidence:
        nothing = Observables.of(np.zeros(len(samples)))
        prior = self.target.prior
        return Evidence(self.target.payoff, [scored], [], Weighing(samples), nothing, prior)

    def _counts(self, samples: Samples) -> Counts:
        assert self.choice is not None  # no result without an attacker
        train, compared = len(self.answers), self.choice.compared
        distinct = len(samples.observables.distinct.first)
        return Counts(
            len(samples), train, compared, len(samples) - train, len(samples.secrets), distinct
        )

    def _spending(self) -> Spending:
        train, certify = len(self.answers), sum(len(codes) for codes, _ in self.certifying)
        still = None
        if self.stage is not None:
            still = 0 if self._reached else max(1, self.stage.planned - self.stage.asked)
        return Spending(
            train + certify, train, certify, self.protocol.precision, self._reached, still,
            self.stopped or "precise enough",
        )  # fmt: skip

    def _warnings(self) -> Sequence[str]:
        spent = self._spending()
        if spent.reached:
            return []
        cost = "some" if spent.still is None else f"about {spent.still:,}"
        return [
            f"{spent.stopped}: the precision of {spent.precision:g} is not reached; it would "
            f"still cost {cost} more queries"
        ]

    def _origin(self, samples: Samples) -> Provenance:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        return Provenance(self.campaign.seed, fingerprint(samples), created)
