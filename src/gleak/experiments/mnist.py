"""Handwritten digits from their pixels: the Bayes risk of a dense network and of LeNet."""

from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from gleak.adversaries import Neural
from gleak.errors import InputError
from gleak.experiments.attacks import Fixed
from gleak.experiments.mnist_files import Mnist, read_mnist
from gleak.experiments.paper_networks import mnist_networks
from gleak.experiments.protocol import Preprocessing, Protocol
from gleak.experiments.study import Study
from gleak.experiments.subject import Subject, Training, Validation
from gleak.gain import Gain, bayes
from gleak.payoff import Payoff

TRAINED_ON = 50_000
PARTS = 10
"""Sets into which the images to test on are parted."""


def study(data: Path) -> Study:
    """The two networks of the paper; what it leaves open is said where they are defined."""
    attacks = [
        Fixed(name, "ann", partial(_whatever_size, network))
        for name, network in mnist_networks().items()
    ]
    remark = "The paper does not say how long it trains; here it is 50 epochs in batches of 128."
    return Study("mnist", "MNIST", Digits(data), (TRAINED_ON,), tuple(attacks), remark)


def _whatever_size(network: Neural, _: int) -> Neural:
    return network


@dataclass(frozen=True, eq=False)
class Digits(Subject):
    """MNIST: recorded pairs, about which no truth is known."""

    folder: Path
    training_sets = 1

    @property
    def gain(self) -> Gain:  # type: ignore[override]
        """To name the digit."""
        return bayes()

    @cached_property
    def payoff(self) -> Payoff:  # type: ignore[override]
        """To name the digit."""
        return self._mnist.train.bind(self.gain)

    @cached_property
    def _mnist(self) -> Mnist:
        return read_mnist(self.folder)

    def training(
        self, preprocessing: Preprocessing, size: int, training_set: int, protocol: Protocol
    ) -> Training:
        """The first images of those to train on."""
        images = self._mnist.train
        if len(images) < size:
            raise InputError.must(
                "images to train on", f"at least {size:,}", f"{len(images):,}",
                where=str(self.folder),
            )  # fmt: skip
        return Training(images.take(slice(size)), self.payoff)

    def validation(self, protocol: Protocol) -> Validation:
        """All images to test on, in ten parts."""
        return Validation(self._mnist.test, PARTS)
