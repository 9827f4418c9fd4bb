"""The training loop: one compiled loop over gradient steps, run in a few parts.

Nothing here knows what the inputs stand for: a problem is a network and arrays.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from gleak.adversaries._inputs import Singles
from gleak.adversaries._networks import Network
from gleak.adversaries._training import Plan
from gleak.errors import GleakError

Progress = Callable[[int, int], None]
"""Called between the parts of a training with the gradient steps done and those in all."""

_ROWS = 1024
"""Rows scored together: always as many, so that scoring is compiled once."""

_MEMORY = 0.98
"""Share of the running mean of weights that a step leaves: it spans some fifty steps.

Half-way through a training the mean is a far better attacker than the weights themselves.
"""

_ADAM = optax.scale_by_adam()


class Data(NamedTuple):
    """Samples: what the network reads, a row of ``targets`` for each, and how much it counts.

    The soft target of sample i is ``targets[code[i]]``, which need not sum to one; without
    ``targets`` it is the output number ``code[i]`` itself.
    """

    inputs: Singles
    code: NDArray[np.int32]
    weight: Singles
    targets: Singles | None


@dataclass(frozen=True)
class Problem:
    """A network to train, on which samples, in random order, and those it is judged on."""

    network: Network
    train: Data
    held: Data | None
    plan: Plan
    rng: np.random.Generator


class _State(NamedTuple):
    """What a part of a training hands to the next."""

    network: Network
    adam: optax.ScaleByAdamState
    mean: Network
    best: Network
    least: jax.Array
    key: jax.Array


def train(problems: Sequence[Problem], progress: Progress) -> list[Network]:
    """Train every problem.

    On an accelerator those of the same shapes together; on a CPU, where that is no faster, one
    after the other.
    """
    batches = _batched(problems)
    done, total = 0, sum(problems[members[0]].plan.steps for members in batches)
    trained: dict[int, Network] = {}
    for members in batches:
        for networks, steps in _course([problems[i] for i in members]):
            done += steps
            progress(done, total)
            trained |= zip(members, networks, strict=True)
    return [trained[i] for i in range(len(problems))]


def scores(network: Network, inputs: Singles) -> Singles:
    """What the network says before the softmax, a row for every row of ``inputs``."""
    return _by_block(_forward, network, inputs)


def choices(network: Network, inputs: Singles) -> NDArray[np.int32]:
    """The output of highest score for every row of ``inputs``."""
    return _by_block(_choice, network, inputs)


def _batched(problems: Sequence[Problem]) -> list[list[int]]:
    """Which problems are trained together."""
    if jax.default_backend() == "cpu":
        return [[i] for i in range(len(problems))]
    batches: dict[object, list[int]] = {}
    for i, problem in enumerate(problems):
        arrays = jax.tree.map(np.shape, (problem.network, problem.train, problem.held))
        leaves, shape = jax.tree.flatten(arrays, is_leaf=lambda part: isinstance(part, tuple))
        batches.setdefault((problem.plan, shape, tuple(leaves)), []).append(i)
    return list(batches.values())


def _course(batch: list[Problem]) -> Iterator[tuple[list[Network], int]]:
    """Train some problems together; after each part yields the networks and the part's steps."""
    alone, plan = len(batch) == 1, batch[0].plan
    part, join = (_part, _only) if alone else (_part_together, _stacked)
    state, data, held = join([_start(problem) for problem in batch])
    orders = zip(*map(_batches, batch), strict=True)
    for rates, order in zip(plan.rates(), orders, strict=True):
        steps, longest = len(rates), max(plan.parts)
        padded = jnp.asarray(np.pad(rates, (0, longest - steps)))
        state, loss = part(state, data, held, join(order), padded, jnp.asarray(steps))
        _check(np.asarray(loss))
        kept = state.network if held is None else state.best
        yield [kept] if alone else _split(kept, len(batch)), steps


def _start(problem: Problem) -> tuple[_State, Data, Data | None]:
    """Where a training starts, and its data on the device."""
    network, key = problem.network, jax.random.key(int(problem.rng.integers(1 << 31)))
    state = _State(network, _rest(network), network, network, jnp.float32(jnp.inf), key)
    return jax.tree.map(jnp.asarray, (state, problem.train, problem.held))


def _batches(problem: Problem) -> Iterator[NDArray[np.int32]]:
    """For each part the samples of its steps: one shuffle after another, cut into batches."""
    n, rows, parts = len(problem.train.code), problem.plan.rows, problem.plan.parts
    order = np.empty(0, np.int32)
    for steps in parts:
        lacking = max(0, ceil((steps * rows - len(order)) / n))
        shuffles = np.tile(np.arange(n, dtype=np.int32), (lacking, 1))
        order = np.append(order, problem.rng.permuted(shuffles, axis=1))
        taken, order = np.split(order, [steps * rows])
        yield np.pad(taken.reshape(steps, rows), ((0, max(parts) - steps), (0, 0)))


def _part_of_training(
    state: _State,
    data: Data,
    held: Data | None,
    order: jax.Array,
    rates: jax.Array,
    steps: jax.Array,
) -> tuple[_State, jax.Array]:
    """The first ``steps`` gradient steps of a part, then a look at the held-out samples."""

    def step(i: jax.Array, carry: tuple[_State, jax.Array]) -> tuple[_State, jax.Array]:
        state, total = carry
        key = jax.random.fold_in(state.key, state.adam.count)
        loss, slope = jax.value_and_grad(_loss)(state.network, _rows(data, order[i]), key)
        return _stepped(state, slope, rates[i], averaged=held is not None), total + loss

    state, total = jax.lax.fori_loop(0, steps, step, (state, jnp.zeros(())))
    return (state if held is None else _judged(state, held)), total


_part = jax.jit(_part_of_training)
_part_together = jax.jit(jax.vmap(_part_of_training, in_axes=(0, 0, 0, 0, None, None)))
_rest = jax.jit(_ADAM.init)


@jax.jit
def _forward(network: Network, batch: Singles) -> jax.Array:
    return network(batch)


@jax.jit
def _choice(network: Network, batch: Singles) -> jax.Array:
    return network(batch).argmax(axis=1)


def _by_block(work: Callable[..., jax.Array], network: Network, inputs: Singles) -> NDArray[Any]:
    starts = range(0, max(1, len(inputs)), _ROWS)
    blocks = (inputs[start : start + _ROWS] for start in starts)
    padded = (np.pad(block, ((0, _ROWS - len(block)), (0, 0))) for block in blocks)
    said = [work(network, jnp.asarray(block)) for block in padded]
    return np.concatenate(said)[: len(inputs)]


def _stepped(state: _State, slope: Network, rate: jax.Array, *, averaged: bool) -> _State:
    change, adam = _ADAM.update(slope, state.adam)
    network = jax.tree.map(lambda weight, by: weight - rate * by, state.network, change)
    if not averaged:
        return state._replace(network=network, adam=adam)
    # The first steps, which are far from everything, are forgotten sooner.
    memory = jnp.minimum(_MEMORY, adam.count / (adam.count + 10.0))
    mean = jax.tree.map(lambda old, new: memory * old + (1 - memory) * new, state.mean, network)
    return state._replace(network=network, adam=adam, mean=mean)


def _judged(state: _State, held: Data) -> _State:
    """Keep the mean network unless one before it did better on the held-out samples."""
    lost = _lost(state.mean, held)
    better = lost <= state.least
    best = jax.tree.map(lambda new, old: jnp.where(better, new, old), state.mean, state.best)
    return state._replace(best=best, least=jnp.minimum(lost, state.least))


def _loss(network: Network, data: Data, key: jax.Array | None) -> jax.Array:
    """Cross-entropy to the soft targets: with a gain's rows, that of Algorithm 1's copies."""
    scores = network(data.inputs, key)
    if data.targets is None:
        each = optax.softmax_cross_entropy_with_integer_labels(scores, data.code)
    else:
        each = optax.softmax_cross_entropy(scores, data.targets[data.code])
    return jnp.mean(data.weight * each)


def _lost(network: Network, held: Data) -> jax.Array:
    """What a network is judged by: the gain it misses, or the log-loss of its posterior.

    A softmax over guesses grows too sure long before its guesses grow worse: its log-loss would
    choose too early.
    """
    if held.targets is None:
        return _loss(network, held, None)
    guesses = network(held.inputs).argmax(axis=1)
    return -jnp.mean(held.weight * held.targets[held.code, guesses])


def _rows(data: Data, rows: jax.Array) -> Data:
    return Data(data.inputs[rows], data.code[rows], data.weight[rows], data.targets)


def _check(loss: NDArray[np.float32]) -> None:
    if not np.isfinite(loss).all():
        raise GleakError(
            "the network's training ran away: its loss is no longer a number; "
            "take a lower learning rate, or scale the inputs (inputs='standard')"
        )


def _only(items: Sequence[Any]) -> Any:
    return items[0]


def _stacked(items: Sequence[Any]) -> Any:
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *items)


def _split(network: Network, n: int) -> list[Network]:
    return [jax.tree.map(lambda leaf, i=i: leaf[i], network) for i in range(n)]
