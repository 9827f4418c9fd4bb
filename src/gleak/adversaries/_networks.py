"""Networks that read a whole batch and say a score for every output."""

from abc import abstractmethod
from itertools import pairwise
from typing import Self

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from gleak.adversaries._inputs import Singles


class Network(eqx.Module):
    """Scores before the softmax, one row per row of a batch."""

    @abstractmethod
    def __call__(self, batch: jax.Array | Singles, key: jax.Array | None = None) -> jax.Array:
        """The scores; with a ``key`` units are dropped, as in training, without one none is."""


class Affine(eqx.Module):
    """A product and a shift on the last axis.

    The weights lie as the product reads them and are drawn by NumPy: on a CPU that is a third
    faster than Equinox's own layer, and nothing is compiled to begin with.
    """

    weight: jax.Array | Singles
    bias: jax.Array | Singles

    @classmethod
    def random(cls, n_inputs: int, n_outputs: int, rng: np.random.Generator) -> Self:
        """Weights and shifts uniform up to 1/√inputs."""
        reach = n_inputs**-0.5
        weight = rng.uniform(-reach, reach, (n_inputs, n_outputs)).astype(np.float32)
        return cls(weight, rng.uniform(-reach, reach, n_outputs).astype(np.float32))

    def __call__(self, values: jax.Array) -> jax.Array:
        return values @ self.weight + self.bias


class DenseNetwork(Network):
    """Layers joined by rectifiers."""

    layers: tuple[Affine, ...]
    dropout: tuple[float, ...] = eqx.field(static=True)

    @classmethod
    def random(
        cls, widths: tuple[int, ...], dropout: tuple[float, ...], rng: np.random.Generator
    ) -> Self:
        """Layers of the given widths, the inputs' first."""
        return cls(tuple(Affine.random(*ends, rng) for ends in pairwise(widths)), dropout)

    def __call__(self, batch: jax.Array | Singles, key: jax.Array | None = None) -> jax.Array:
        values = jnp.asarray(batch)
        for index, (layer, rate) in enumerate(zip(self.layers, self.dropout, strict=True)):
            shown = jax.nn.relu(values) if index else values
            values = layer(_dropped(shown, rate, key, index))
        return values


class LeNetwork(Network):
    """Two convolutions with average pools, then dense layers."""

    near: Affine
    far: Affine
    dense: DenseNetwork
    side: int = eqx.field(static=True)

    @classmethod
    def random(
        cls, side: int, n_outputs: int, dropout: tuple[float, float], rng: np.random.Generator
    ) -> Self:
        """A network for images of ``side`` by ``side`` pixels."""
        near, far = Affine.random(9, 6, rng), Affine.random(9 * 6, 16, rng)
        seen = 16 * ((side // 2 - 2) // 2) ** 2
        dense = DenseNetwork.random((seen, 60, 42, n_outputs), (*dropout, 0.0), rng)
        return cls(near, far, dense, side)

    def __call__(self, batch: jax.Array | Singles, key: jax.Array | None = None) -> jax.Array:
        images = jnp.asarray(batch).reshape(-1, self.side, self.side, 1)
        margin = jnp.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
        seen = _pooled(jax.nn.relu(self.near(_neighbourhoods(margin))))
        seen = _pooled(jax.nn.relu(self.far(_neighbourhoods(seen))))
        return self.dense(seen.reshape(len(batch), -1), key)


def _dropped(values: jax.Array, rate: float, key: jax.Array | None, layer: int) -> jax.Array:
    if key is None or rate == 0:
        return values
    kept = jax.random.bernoulli(jax.random.fold_in(key, layer), 1 - rate, values.shape)
    return jnp.where(kept, values / (1 - rate), 0)


def _neighbourhoods(images: jax.Array) -> jax.Array:
    """The 3×3 pixels around each inner pixel, so that a convolution is one product.

    On a CPU that is four times as fast as XLA's convolution.
    """
    height, width = images.shape[1] - 2, images.shape[2] - 2
    shifts = [images[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
    return jnp.concatenate(shifts, axis=-1)


def _pooled(images: jax.Array) -> jax.Array:
    """Averages of 2×2 pixels; an odd last row or column is left out."""
    half = images.shape[1] // 2
    even = images[:, : 2 * half, : 2 * half]
    return even.reshape(len(images), half, 2, half, 2, -1).mean(axis=(2, 4))
