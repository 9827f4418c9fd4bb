"""The shape of a network, said without building one."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from gleak.adversaries._base import positive
from gleak.errors import InputError

if TYPE_CHECKING:
    from gleak.adversaries._networks import Network


class Architecture(ABC):
    """The layers of a network; how many inputs and outputs they join is known once data is."""

    @abstractmethod
    def build(self, n_inputs: int, n_outputs: int, rng: np.random.Generator) -> "Network":
        """A network of this shape with random weights."""


@dataclass(frozen=True, slots=True)
class Dense(Architecture):
    """Layers of rectified linear units, any number of them: none is a linear softmax.

    ``dropout`` is the rate in front of each layer, the output's last: (.2, .5) for one hidden
    layer drops a fifth of the inputs and half of the hidden units.

    >>> Dense((128,), dropout=(0.2, 0.5)).hidden
    (128,)
    """

    hidden: tuple[int, ...] = (100, 100, 100)
    dropout: tuple[float, ...] = ()

    def build(self, n_inputs: int, n_outputs: int, rng: np.random.Generator) -> "Network":
        from gleak.adversaries._networks import DenseNetwork

        if not isinstance(self.hidden, tuple | list):
            raise InputError.must("the hidden layers", "a tuple of widths", repr(self.hidden))
        if not all(isinstance(width, int | np.integer) and width >= 1 for width in self.hidden):
            raise InputError.must("a hidden layer", "of at least one unit", self.hidden)
        rates = (0.0,) * (len(self.hidden) + 1) if self.dropout == () else self.dropout
        _check_rates(rates, len(self.hidden) + 1)
        return DenseNetwork.random((n_inputs, *self.hidden, n_outputs), rates, rng)


@dataclass(frozen=True, slots=True)
class LeNet(Architecture):
    """A small convolutional network for square grey images (after LeCun et al., 1998).

    Convolution 6@3×3 with margins, average pool 2, convolution 16@3×3, average pool 2, dropout,
    dense 60, dropout, dense 42, softmax. The columns are the pixels, row by row.

    >>> LeNet().dropout
    (0.4, 0.3)
    """

    dropout: tuple[float, float] = (0.4, 0.3)

    def build(self, n_inputs: int, n_outputs: int, rng: np.random.Generator) -> "Network":
        from gleak.adversaries._networks import LeNetwork

        _check_rates(self.dropout, 2)
        side = isqrt(n_inputs)
        if side * side != n_inputs or side < 8:
            raise InputError.must(
                "the images of a LeNet",
                "square, at least 8 pixels wide",
                f"{n_inputs} columns",
                remedy="use a dense network",
            )
        return LeNetwork.random(side, n_outputs, self.dropout, rng)


def _check_rates(rates: Sequence[float], layers: int) -> None:
    if not isinstance(rates, tuple | list) or len(rates) != layers:
        raise InputError.must("dropout", f"one rate per layer, {layers} of them", repr(rates))
    if not all(rate == 0 or (positive(rate) and rate < 1) for rate in rates):
        raise InputError.must("a dropout rate", "at least 0 and below 1", rates)
