import equinox as eqx
import jax
import numpy as np
import pytest

from gleak.adversaries._architectures import Dense, LeNet
from gleak.errors import InputError


def built(architecture, n_inputs=5, n_outputs=3):
    return architecture.build(n_inputs, n_outputs, np.random.default_rng(0))


def parameters(network):
    return sum(leaf.size for leaf in jax.tree.leaves(network))


def numbers(*shape):
    return np.random.default_rng(1).normal(size=shape).astype(np.float32)


class TestDense:
    @pytest.mark.parametrize("hidden", [(), (7,), (4, 6)])
    def test_is_products_and_rectifiers(self, hidden):
        network, batch = built(Dense(hidden)), numbers(8, 5)
        expected = batch
        for index, layer in enumerate(network.layers):
            shown = np.maximum(expected, 0) if index else expected
            expected = shown @ np.asarray(layer.weight) + np.asarray(layer.bias)
        assert len(network.layers) == len(hidden) + 1
        assert np.asarray(network(batch)) == pytest.approx(expected, abs=1e-5)

    def test_sizes_of_the_studied_networks(self):
        # (1+1)·100 + 2·(101·100) + 101·45 for experiment 1, 785·128 + 129·10 for MNIST.
        assert parameters(built(Dense(), 1, 45)) == 24_945
        assert parameters(built(Dense((128,)), 784, 10)) == 101_770

    def test_dropout_zeroes_its_share_and_keeps_the_mean(self):
        # No hidden layer, weights of one: the score is the sum of what is kept, over 1 - rate.
        network = built(Dense((), dropout=(0.2,)), 1000, 1)
        ones = eqx.tree_at(
            lambda n: (n.layers[0].weight, n.layers[0].bias),
            network,
            (np.ones((1000, 1), np.float32), np.zeros(1, np.float32)),
        )
        batch = np.ones((50, 1000), np.float32)
        kept = np.asarray(ones(batch, jax.random.key(0)))[:, 0] * 0.8
        assert kept == pytest.approx(np.round(kept), abs=1e-2)
        assert abs(kept.mean() - 800) < 5 * np.sqrt(1000 * 0.16 / 50)
        assert kept.std() > 1
        assert np.asarray(ones(batch)) == pytest.approx(1000)

    def test_without_dropout_a_key_changes_nothing(self):
        network, batch = built(Dense((7,))), numbers(8, 5)
        assert (network(batch, jax.random.key(0)) == network(batch)).all()

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (Dense((0,)), "a hidden layer must be of at least one unit, got (0,)"),
            (Dense((2.5,)), "a hidden layer must be of at least one unit, got (2.5,)"),
            (Dense(100), "the hidden layers must be a tuple of widths, got 100"),
            (Dense((5,), (0.1,)), "dropout must be one rate per layer, 2 of them, got (0.1,)"),
            (Dense((5,), 0.1), "dropout must be one rate per layer, 2 of them, got 0.1"),
            (Dense((), ("half",)), "a dropout rate must be at least 0 and below 1, got ('half',)"),
            (Dense((), (1.0,)), "a dropout rate must be at least 0 and below 1, got (1.0,)"),
        ],
    )
    def test_refusals(self, wrong, message):
        with pytest.raises(InputError) as refusal:
            built(wrong)
        assert message in str(refusal.value)


class TestLeNet:
    def test_has_as_many_parameters_as_the_papers(self):
        assert parameters(built(LeNet(), 784, 10)) == 38_552

    @pytest.mark.parametrize("side", [28, 11])  # 11: an odd side is pooled without its last row
    def test_is_convolutions_and_pools(self, side):
        network, batch = built(LeNet(), side * side, 10), numbers(3, side * side)
        pool = eqx.nn.AvgPool2d(2, 2)

        def convolved(layer, image, padding):
            channels, filters = len(layer.weight) // 9, layer.weight.shape[1]
            same = eqx.nn.Conv2d(channels, filters, 3, padding=padding, key=jax.random.key(0))
            kernel = layer.weight.reshape(3, 3, channels, filters).transpose(3, 2, 0, 1)
            leaves = (kernel, layer.bias[:, None, None])
            same = eqx.tree_at(lambda c: (c.weight, c.bias), same, leaves)
            return pool(jax.nn.relu(same(image)))

        for row, image in zip(np.asarray(network(batch)), batch, strict=True):
            hidden = convolved(network.near, image.reshape(1, side, side), 1)
            hidden = convolved(network.far, hidden, 0).transpose(1, 2, 0).reshape(1, -1)
            assert row == pytest.approx(np.asarray(network.dense(hidden))[0], abs=1e-5)

    def test_drops_units_in_training(self):
        network, batch = built(LeNet(), 64, 2), numbers(3, 64)
        assert (network(batch, jax.random.key(0)) != network(batch)).any()

    @pytest.mark.parametrize("dropout", [(1.0, 0.3), (0.4, -0.1), (0.4,), 0.4])
    def test_refuses_what_is_no_rate(self, dropout):
        """A rate of one drops everything and divides by nothing."""
        with pytest.raises(InputError, match="dropout"):
            built(LeNet(dropout), 784)

    @pytest.mark.parametrize("columns", [10, 49])
    def test_refuses_what_is_no_image(self, columns):
        with pytest.raises(InputError, match=f"square, at least 8 pixels wide, got {columns} col"):
            built(LeNet(), columns)
