import pytest

from gleak.adversaries.neural import Dense
from gleak.errors import InputError
from gleak.experiments import EXPERIMENTS
from gleak.experiments.paper_networks import HYPERPARAMETERS, mnist_networks, paper_network


def test_every_experiment_has_a_network():
    assert {name for name, way in HYPERPARAMETERS if way == "data"} == set(EXPERIMENTS)


@pytest.mark.parametrize(
    ("size", "epochs", "batch"),
    [(50, 200, 20), (100, 200, 20), (999, 200, 20), (1_000, 500, 200), (10_000, 1000, 500)],
)
def test_hyper_parameters_follow_the_size(size, epochs, batch):
    network = paper_network("location", size, "channel")
    assert (network.training.epochs, network.training.batch) == (epochs, batch)
    assert network.network == Dense((500, 500, 500))


def test_are_trained_as_in_the_paper():
    network = paper_network("multiple_guesses", 30_000)
    assert (network.route, network.inputs) == ("guess", "minmax")
    assert (network.training.schedule, network.training.early_choice) == ("constant", False)
    # 700 epochs over nine copies of 30,000 samples, a thousand copies a step.
    assert network.training.plan(30_000, 9).steps == 700 * 270


def test_what_the_paper_does_not_set_is_refused():
    with pytest.raises(InputError, match=r"no network for password \(channel\); did you mean"):
        paper_network("password", 10_000, "channel")


def test_mnist_networks_drop_units():
    shapes = {name: network.network.dropout for name, network in mnist_networks().items()}
    assert shapes == {"dense": (0.2, 0.5), "LeNet": (0.4, 0.3)}
