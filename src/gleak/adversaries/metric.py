"""Secrets and observables in one metric space: the nearer, the more probable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route
from gleak.errors import InputError, nearest
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

Kind = Literal["euclidean", "cityblock", "sqeuclidean"]
"""Noise of planar Laplace, of Laplace in each coordinate and of Gaussian shape, respectively."""

Distance = Kind | Literal["auto"]
"""``auto`` is the likelier of the first two."""

Prior = Literal["auto", "smoothed", "none"]
"""Whether secrets weigh by their smoothed frequencies; ``auto`` is the likelier."""

_SMOOTHINGS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Rows added to each secret's own, to choose from; infinitely many amount to no prior."""

_ROWS = 2_000_000
"""Distances looked at while the parameters are chosen; more points are sampled."""

_FARTHEST = 1e200
"""Where distances end: of what is infinitely far from every secret none would be the nearest."""


@dataclass(frozen=True)
class Metric(Adversary):
    """P(x|y) ∝ weight(x)·exp(−β·d(x,y)), everything fitted by likelihood.

    A channel's noise is often a falling function of the distance between what is true and what
    is shown. Then three numbers say it all, and few samples suffice: the decay β, the kind of
    distance, and how far the secrets' frequencies are smoothed towards none. They maximise the
    likelihood of each sample's secret where the secret's frequency is that among the others
    (leave-one-out), without which a secret seen once would be believed too much.

    Coordinates are the secrets' numeric attributes named as observable columns are; else, for
    one numeric column, the secrets themselves where they are numbers; else as many numeric
    attributes as there are numeric columns, in their order.
    """

    name: ClassVar[str] = "metric"
    route: Route = "secret"
    distance: Distance = "auto"
    prior: Prior = "auto"

    def suits(self, train: "Samples", payoff: Payoff) -> str | None:
        """Why there is nothing to learn here, or None."""
        return None if _shared(train) else "secrets and observables share no coordinates"

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> "MetricStrategy":
        self._check()
        shared = _shared(train)
        if shared is None:
            raise InputError.must(
                "the secrets",
                "in one space with the observables",
                f"none of the columns {', '.join(train.observables.names)} among their attributes",
                remedy="name the secrets' coordinates as the observable columns are named",
            )
        cells = _Cells.of(train, shared, rng)
        fits = [_fitted(cells, kind, self._smoothings) for kind in self._distances]
        best = max(fits, key=lambda fit: fit.likelihood)
        totals = np.asarray(train.counts.sum(axis=0), dtype=np.float64)
        return MetricStrategy(
            payoff, train.observables.select(shared.columns).take(slice(0, 1)), shared.places,
            best.kind, best.decay, _smoothed(totals, best.smoothing),
        )  # fmt: skip

    @property
    def _distances(self) -> tuple[Kind, ...]:
        return ("euclidean", "cityblock") if self.distance == "auto" else (self.distance,)

    @property
    def _smoothings(self) -> tuple[float, ...]:
        return {"auto": (*_SMOOTHINGS, np.inf), "smoothed": _SMOOTHINGS, "none": (np.inf,)}[
            self.prior
        ]

    def _check(self) -> None:
        distances, priors = [*get_args(Kind), "auto"], list(get_args(Prior))
        options = (("distance", self.distance, distances), ("prior", self.prior, priors))
        for what, value, known in options:
            if value not in known:
                raise InputError(f"unknown {what} {value!r} of 'metric'; {nearest(value, known)}")
        if self.route != "secret":
            raise InputError.must(
                "the route of 'metric'", "'secret'", repr(self.route),
                remedy="its posterior answers every gain",
            )  # fmt: skip


@dataclass(frozen=True)
class MetricStrategy(PosteriorStrategy):
    """Weights that decay with the distance between a secret's place and the observable."""

    payoff: Payoff
    template: "Observables"
    places: Floats
    distance: Kind
    decay: float
    weights: Floats

    def _posterior(self, points: "Observables") -> Floats:
        distances = _between(self.template.alike(points).matrix(), self.places, self.distance)
        return _kernel(distances, self.decay) * self.weights

    def under(self, payoff: Payoff) -> "MetricStrategy":
        return replace(self, payoff=payoff)


@dataclass(frozen=True)
class _Shared:
    """The observable columns that are coordinates, and where each secret is in them."""

    columns: tuple[str, ...]
    places: Floats


def _shared(train: "Samples") -> _Shared | None:
    numeric = [column.name for column in train.observables.columns if column.categories is None]
    coordinates = {
        name: values.astype(np.float64)
        for name, values in train.attributes.items()
        if values.dtype.kind in "iuf" and np.isfinite(values).all()
    }
    named = [name for name in numeric if name in coordinates]
    if named:
        found = [coordinates[name] for name in named]
    elif len(numeric) == 1 and train.secrets.dtype.kind in "iuf":
        named, found = numeric, [train.secrets.astype(np.float64)]
    elif numeric and len(coordinates) == len(numeric):
        named, found = numeric, list(coordinates.values())
    else:
        return None
    return _Shared(tuple(named), np.stack(found, axis=1))


@dataclass(frozen=True)
class _Cells:
    """How often each secret was seen at each point."""

    points: Floats
    places: Floats
    point: NDArray[np.intp]
    secret: NDArray[np.intp]
    weight: Floats
    totals: Floats

    @classmethod
    def of(cls, train: "Samples", shared: _Shared, rng: np.random.Generator) -> "_Cells":
        counts = sparse.csr_array(train.counts)
        first = train.observables.distinct.first
        most = max(1, _ROWS // counts.shape[1])
        if len(first) > most:
            kept = np.sort(rng.choice(len(first), size=most, replace=False))
            counts, first = counts[kept], first[kept]
        pairs = counts.tocoo()
        points = train.observables.take(first).select(shared.columns).matrix()
        totals = np.asarray(counts.sum(axis=0), dtype=np.float64)
        point, secret = pairs.row.astype(np.intp), pairs.col.astype(np.intp)
        return cls(points, shared.places, point, secret, pairs.data, totals)


@dataclass(frozen=True)
class _Fit:
    likelihood: float
    kind: Kind
    decay: float
    smoothing: float


def _fitted(cells: _Cells, kind: Kind, smoothings: Sequence[float]) -> _Fit:
    """The decay that is best without a prior, the smoothing best for it, then the decay again."""
    distances = _between(cells.points, cells.places, kind)
    decay, _ = _best_decay(cells, distances, np.inf)
    kernel = _kernel(distances, decay)
    smoothing = max(smoothings, key=lambda s: _likelihood(cells, kernel, s))
    decay, likelihood = _best_decay(cells, distances, smoothing)
    return _Fit(likelihood, kind, decay, smoothing)


def _best_decay(cells: _Cells, distances: Floats, smoothing: float) -> tuple[float, float]:
    from scipy.optimize import minimize_scalar

    middle = float(np.median(distances)) or 1.0

    def loss(log_decay: float) -> float:
        return -_likelihood(cells, _kernel(distances, np.exp(log_decay)), smoothing)

    bounds = (np.log(1e-4 / middle), np.log(1e4 / middle))
    found = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-3})
    return float(np.exp(found.x)), -float(found.fun)


def _likelihood(cells: _Cells, kernel: Floats, smoothing: float) -> float:
    """Log-likelihood of each row's secret, its own row taken out of the frequencies."""
    weights = _smoothed(cells.totals, smoothing)
    own = kernel[cells.point, cells.secret]
    out = np.zeros(len(own))
    if np.isfinite(smoothing):
        out = np.minimum(1.0, cells.totals[cells.secret])
    above = own * (weights[cells.secret] - out)
    below = (kernel @ weights)[cells.point] - own * out
    return float(cells.weight @ np.log(np.maximum(above / below, 1e-300)))


def _smoothed(totals: Floats, smoothing: float) -> Floats:
    return totals + smoothing if np.isfinite(smoothing) else np.ones_like(totals)


def _between(points: Floats, places: Floats, kind: Kind) -> Floats:
    from scipy.spatial.distance import cdist

    return np.minimum(cdist(points, places, kind), _FARTHEST)


def _kernel(distances: Floats, decay: float) -> Floats:
    """exp(−β·d), each row divided by its largest so that the far away does not underflow."""
    nearest_one = distances.min(axis=1, keepdims=True)
    return np.exp(-decay * (distances - nearest_one))
