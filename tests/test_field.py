"""Who competes on which samples."""

import numpy as np

from gleak.field import field
from gleak.samples import Samples


def labels(samples, gain="bayes"):
    return [candidate.label for candidate in field(samples, samples.bind(gain))]


def numbers(rows, columns, secrets=3, seed=0):
    rng = np.random.default_rng(seed)
    return Samples.of(rng.integers(0, secrets, rows), rng.normal(size=(rows, columns)))


def repeating(rows=600, secrets=3):
    rng = np.random.default_rng(1)
    return Samples.of(rng.integers(0, secrets, rows), rng.integers(0, 5, rows))


def test_counting_is_tried_where_observables_repeat_only():
    assert "frequentist" in labels(repeating())
    assert "frequentist" not in labels(numbers(600, 1))


def test_neighbours_are_not_tried_in_many_columns():
    assert "neighbours" in labels(numbers(300, 60))
    assert "neighbours" not in labels(numbers(300, 61))


def test_logistic_regression_is_not_tried_on_many_secrets():
    assert "linear" in labels(repeating(4000, 200))
    assert "linear" not in labels(repeating(4000, 201))


def test_networks_are_tried_on_many_rows():
    assert "neural" in labels(numbers(4000, 2))
    assert "neural" not in labels(numbers(3999, 2))
    assert "neural" in labels(numbers(4000, 1))


def test_along_a_column_whose_values_repeat_a_network_has_nothing_to_find():
    codes = np.arange(4000) % 2
    assert "neural" not in labels(Samples.of(codes, np.arange(4000) % 2000))
    assert "neural" in labels(Samples.of(codes, np.arange(4000) % 2001))


def test_distances_are_tried_where_secrets_have_coordinates_in_the_same_space():
    """Two coordinates that are reported with noise: a likelihood of the distance can be learned."""
    rng = np.random.default_rng(2)
    places = np.array([(x, y) for x in range(4) for y in range(4)], dtype=float)
    codes = rng.integers(0, 16, 800)
    seen = {"x": np.rint(places[codes, 0] + rng.normal(size=800)),
            "y": np.rint(places[codes, 1] + rng.normal(size=800))}  # fmt: skip
    known = {"x": places[:, 0], "y": places[:, 1]}
    samples = Samples.of(codes, seen, attributes={n: known[n][codes] for n in known})
    found = labels(samples, "bayes")
    assert {"metric", "metric without prior", "counts+metric"} <= set(found)
    assert not any("metric" in label for label in labels(numbers(800, 2)))


def test_cheap_families_come_first():
    found = field(numbers(5000, 2), numbers(5000, 2).bind("bayes"))
    costly = [candidate.costly for candidate in found]
    assert costly == sorted(costly)
    assert costly[-1]
