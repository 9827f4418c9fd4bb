"""The networks of the paper's experiments: its table of hyper-parameters, in one place."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gleak.adversaries.neural import Dense, LeNet, Neural, Training
from gleak.errors import InputError, nearest

Preprocessing = Literal["data", "channel"]


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """What the paper sets per experiment; its learning rate is 1e-3 everywhere."""

    epochs: int
    batch: int
    hidden: tuple[int, ...] = (100, 100, 100)


_BY_SIZE = Mapping[int, Hyperparameters]
"""From a training size on; the smallest serves smaller ones too."""

_WIDE = (500, 500, 500)

HYPERPARAMETERS: Mapping[tuple[str, Preprocessing], _BY_SIZE] = {
    ("multiple_guesses", "data"): {10_000: Hyperparameters(700, 1000)},
    ("multiple_guesses", "channel"): {10_000: Hyperparameters(500, 1000)},
    ("location", "data"): {
        100: Hyperparameters(1000, 200, _WIDE),
        1_000: Hyperparameters(1000, 500, _WIDE),
        10_000: Hyperparameters(1000, 1000, _WIDE),
    },
    ("location", "channel"): {
        100: Hyperparameters(200, 20, _WIDE),
        1_000: Hyperparameters(500, 200, _WIDE),
        10_000: Hyperparameters(1000, 500, _WIDE),
    },
    ("differential_privacy", "data"): {10_000: Hyperparameters(500, 200)},
    ("differential_privacy", "channel"): {10_000: Hyperparameters(500, 200)},
    ("password", "data"): {10_000: Hyperparameters(700, 1000)},
}
"""Table "Hyper-parameters" of the paper's appendix, by experiment and pre-processing.

Experiment 4 needs no pre-processing: its gain is the identity.
"""


def paper_network(experiment: str, size: int, preprocessing: Preprocessing = "data") -> Neural:
    """The network that the paper trains on ``size`` samples of an experiment.

    As in the paper no moment of the training is chosen: the last one stands.

    >>> paper_network("location", 1_000).training.batch
    500
    """
    if (experiment, preprocessing) not in HYPERPARAMETERS:
        known = [f"{name} ({way})" for name, way in HYPERPARAMETERS]
        asked = f"{experiment} ({preprocessing})"
        raise InputError(f"the paper sets no network for {asked}; {nearest(asked, known)}")
    by_size = HYPERPARAMETERS[experiment, preprocessing]
    sizes = sorted(by_size)
    chosen = by_size[sizes[max(0, bisect_right(sizes, size) - 1)]]
    return Neural.paper(chosen.epochs, chosen.batch, chosen.hidden)


def mnist_networks() -> dict[str, Neural]:
    """The two networks of the MNIST study; the paper does not say how long it trains them.

    >>> list(mnist_networks())
    ['dense', 'LeNet']
    """
    training = Training(epochs=50, batch=128, early_choice=False)
    shapes = {"dense": Dense((128,), dropout=(0.2, 0.5)), "LeNet": LeNet()}
    return {name: Neural(shape, training, inputs="pixels") for name, shape in shapes.items()}
