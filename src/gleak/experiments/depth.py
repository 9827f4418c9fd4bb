"""How deep a network has to be: experiment 1 with no hidden layer, one, two and three."""

from dataclasses import replace
from functools import partial

from gleak.adversaries import Neural
from gleak.adversaries.neural import Dense
from gleak.experiments import multiple_guesses
from gleak.experiments.attacks import Fixed, Perfect
from gleak.experiments.paper_networks import paper_network
from gleak.experiments.study import Study
from gleak.experiments.subject import KnownSubject

DEPTHS = 4
"""How many are compared, from no hidden layer on."""

WIDTH = 100
"""Units of each hidden layer."""


def study() -> Study:
    """The network of the paper's experiment 1 beside shallower ones."""
    experiment = multiple_guesses.experiment()
    networks = [
        Fixed(layers(depth), "ann", partial(_network, depth=depth)) for depth in range(DEPTHS)
    ]
    return Study(
        name="depth",
        title="Hidden layers",
        subject=KnownSubject(experiment),
        sizes=experiment.sizes,
        attacks=(Perfect(experiment), *networks),
        overshadowing=(layers(0),),
    )


def layers(depth: int) -> str:
    """What a network of so many hidden layers is called."""
    return f"{depth or 'no'} hidden layer{'' if depth == 1 else 's'}"


def _network(size: int, depth: int) -> Neural:
    return replace(paper_network("multiple_guesses", size), network=Dense((WIDTH,) * depth))
