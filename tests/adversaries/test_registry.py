import subprocess
import sys

import pytest
from sklearn.naive_bayes import GaussianNB

import gleak.adversaries as families
from gleak.adversaries import FAMILIES, Adversary, Classifier, Neighbours, Trees, adversary
from gleak.errors import InputError


def test_every_name_makes_its_family():
    for name, family in FAMILIES.items():
        made = adversary(name)
        assert type(made) is family
        assert made.name == name


def test_public_names_exist_and_are_sorted():
    assert families.__all__ == sorted(families.__all__, key=lambda n: (not n.isupper(), n))
    for name in families.__all__:
        assert hasattr(families, name)


def test_an_adversary_is_passed_on():
    neighbours = Neighbours(k=7)
    assert adversary(neighbours) is neighbours
    assert adversary(Trees) == Trees()


def test_classifiers_become_adversaries():
    estimator = GaussianNB()
    assert adversary(estimator) == Classifier(estimator)
    assert isinstance(adversary(GaussianNB), Classifier)
    assert isinstance(adversary("sklearn.naive_bayes:GaussianNB"), Classifier)


def test_adversaries_of_other_modules(tmp_path, monkeypatch):
    (tmp_path / "own_attack.py").write_text(
        "from gleak.adversaries import Neighbours\nfive = Neighbours(k=5)\nnumber = 5\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert adversary("own_attack:five") == Neighbours(k=5)
    with pytest.raises(InputError, match=r"an adversary must be a family's name, .* got 5"):
        adversary("own_attack:number")
    with pytest.raises(InputError, match="module 'own_attack' has no 'six'"):
        adversary("own_attack:six")


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InputError, match="unknown adversary 'tress'; did you mean 'trees'"):
        adversary("tress")
    with pytest.raises(InputError, match=r"known are: .*metric.* named module:Class"):
        adversary("xyzzy")
    with pytest.raises(InputError, match="adversary 'no_such:Thing': module 'no_such' cannot"):
        adversary("no_such:Thing")
    with pytest.raises(InputError, match="unknown adversary ':Thing'"):
        adversary(":Thing")


def test_a_class_that_cannot_be_made_without_arguments_is_refused_with_the_way_out():
    with pytest.raises(InputError, match=r"'Pipeline' cannot be made .* 'steps'; name an object"):
        adversary("sklearn.pipeline:Pipeline")


@pytest.mark.parametrize("wrong", [3, None, "", object()])
def test_what_cannot_attack_is_refused(wrong):
    with pytest.raises(InputError, match="adversary"):
        adversary(wrong)


def test_importing_the_families_imports_no_learner():
    script = (
        "import sys, gleak.adversaries; "
        "print([m for m in ('sklearn', 'jax', 'polars', 'optax') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_adversaries_are_values():
    """Frozen: what was asked for cannot change after it was written into a result."""
    for family in FAMILIES.values():
        assert family() == family()
        with pytest.raises(AttributeError):
            family().route = "guess"
        assert issubclass(family, Adversary)
