"""Networks: a softmax over secrets or over guesses, trained in one compiled loop."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from gleak.adversaries._architectures import Architecture, Dense, LeNet
from gleak.adversaries._base import Adversary, PosteriorStrategy, Route, Strategy, Watch
from gleak.adversaries._inputs import Encoder, Scaling, Singles
from gleak.adversaries._training import Training
from gleak.errors import InputError
from gleak.payoff import Floats, Guesses, Payoff
from gleak.preprocess import raised_gains

if TYPE_CHECKING:
    from gleak.adversaries._loop import Problem, Progress
    from gleak.adversaries._networks import Network
    from gleak.observables import Observables
    from gleak.samples import Samples

__all__ = ["Dense", "LeNet", "Neural", "Training"]

_HELD_SHARE, _HELD_MOST = 0.1, 5_000
"""The share of samples held out for an early choice, and how many at most."""

Rng = np.random.Generator | int | None


def _unseen(done: int, total: int) -> None:
    """Nobody watches the training."""


@dataclass(frozen=True)
class Neural(Adversary):
    """A network that learns P(x|y), or the best guess for one gain.

    On the guess route sample (x,y) has the soft target G[:,x], the gain of every guess raised to
    be non-negative: the objective is the cross-entropy over the copies of Algorithm 1, of which
    none is made.

    ``progress`` is told the gradient steps done and those in all, twenty times in a training.
    """

    network: Architecture = field(default_factory=Dense)
    training: Training = field(default_factory=Training)
    route: Route = "secret"
    inputs: Scaling = "standard"
    progress: "Progress" = field(default=_unseen, repr=False, compare=False)
    name: ClassVar[str] = "neural"

    @classmethod
    def paper(
        cls, epochs: int, batch: int, hidden: tuple[int, ...] = (100, 100, 100), **changes: Any
    ) -> Self:
        """The setting of the paper's experiments: epochs and batches are those of copies."""
        training = Training(
            epochs=epochs, batch=batch, per_copy=True, schedule="constant", early_choice=False
        )
        setting: dict[str, Any] = {"route": "guess", "inputs": "minmax", **changes}
        return cls(Dense(hidden), training, **setting)

    def watched(self, progress: Watch) -> Self:
        return replace(self, progress=lambda done, total: progress(done / total))

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy:
        return self.fit_many([train], payoff, [rng])[0]

    def fit_many(
        self, trains: Sequence["Samples"], payoff: Payoff, rngs: Sequence[Rng]
    ) -> list[Strategy]:
        """A strategy for each of several training sets; an accelerator trains them together.

        Training sets that differ in shape are trained apart.
        """
        from gleak.adversaries import _loop

        self._check()
        for train in trains:
            self._refuse(train, payoff)
        encoders = [Encoder.of(train, self.inputs) for train in trains]
        jobs = zip(trains, encoders, map(np.random.default_rng, rngs), strict=True)
        problems = [self._problem(train, payoff, encoder, rng) for train, encoder, rng in jobs]
        networks = _loop.train(problems, self.progress)
        kind = NetworkPosterior if self.route == "secret" else NetworkGuess
        pairs = zip(encoders, networks, strict=True)
        return [kind(payoff, encoder, network) for encoder, network in pairs]

    def _check(self) -> None:
        parts = (("network", self.network, Architecture, "Dense((100, 100))"),
                 ("training", self.training, Training, "Training(steps=3000)"))  # fmt: skip
        for what, given, kind, example in parts:
            if not isinstance(given, kind):
                raise InputError.must(f"the {what} of 'neural'", f"as in {example}", repr(given))

    def _problem(
        self, train: "Samples", payoff: Payoff, encoder: Encoder, rng: np.random.Generator
    ) -> "Problem":
        from gleak.adversaries._loop import Data, Problem

        by_network, by_split, by_order = rng.spawn(3)
        targets = None if self.route == "secret" else _soft_targets(payoff)
        mass = np.ones(len(train)) if targets is None else targets.sum(axis=1)[train.codes]
        plan = self.training.plan(len(train), float(mass.mean()))
        weight = _weights(train, mass)
        inputs, codes = encoder(train.observables), train.codes.astype(np.int32)
        outputs = payoff.n_secrets if targets is None else targets.shape[1]
        network = self.network.build(inputs.shape[1], outputs, by_network)

        def some(rows: NDArray[np.bool_]) -> Data:
            return Data(inputs[rows], codes[rows], weight[rows], targets)

        held = _held_out(train, by_split) if self.training.early_choice else None
        if held is None:
            return Problem(network, Data(inputs, codes, weight, targets), None, plan, by_order)
        return Problem(network, some(~held), some(held), plan, by_order)


@dataclass(frozen=True)
class NetworkPosterior(PosteriorStrategy):
    """The posterior a network learned."""

    payoff: Payoff
    encoder: Encoder
    network: "Network"

    def _posterior(self, points: "Observables") -> Floats:
        from gleak.adversaries._loop import scores

        return softmax(scores(self.network, self.encoder(points)).astype(np.float64), axis=1)

    def under(self, payoff: Payoff) -> Self:
        return replace(self, payoff=payoff)


@dataclass(frozen=True)
class NetworkGuess(Strategy):
    """The guesses a network learned, for one payoff."""

    payoff: Payoff
    encoder: Encoder
    network: "Network"

    def _guess(self, points: "Observables") -> Guesses:
        from gleak.adversaries._loop import choices

        return self.payoff.listed(choices(self.network, self.encoder(points)).astype(np.intp))


def _soft_targets(payoff: Payoff) -> Singles:
    gains, _ = raised_gains(payoff)
    return np.ascontiguousarray(gains.T, dtype=np.float32)


def _weights(train: "Samples", mass: Floats) -> Singles:
    """What each sample counts, such that the mean loss is that of a copy: Adam's scale."""
    weights = np.ones(len(train)) if train.weights is None else train.weights
    return (weights / (np.mean(weights * mass) or 1.0)).astype(np.float32)


def _held_out(train: "Samples", rng: np.random.Generator) -> NDArray[np.bool_] | None:
    """Which samples are held out, groups whole; None where there is but one to choose from."""
    groups = np.arange(len(train)) if train.groups is None else train.groups
    units = np.unique(groups)
    if len(units) < 2:
        return None
    many = min(_HELD_MOST, ceil(_HELD_SHARE * len(units)))
    return np.isin(groups, rng.choice(units, many, replace=False))
