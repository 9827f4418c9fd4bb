"""The live examples leak what they are known to leak; bounds on measured times are generous."""

import importlib.util
from pathlib import Path

import pytest

from gleak.experiments import password

FOLDER = Path(__file__).parents[1] / "examples" / "live"


def example(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_early_exit_gives_the_place_away_and_compare_digest_far_less():
    module = example("early_exit")
    leaky = module.measured(module.early_exit, 2000)
    careful = module.measured(module.constant_time, 2000)
    assert leaky.verdict == "leaks"
    assert leaky.vulnerability.lower > 0.6
    assert careful.vulnerability.estimate < 0.4


def test_the_length_of_compressed_text_gives_a_digit_away():
    found = example("compressed_length").found(precision=0.08)
    assert found.verdict == "leaks"
    assert found.vulnerability.lower > 0.3
    assert found.prior_vulnerability.estimate == pytest.approx(0.1)


def test_the_password_checker_as_a_command():
    found = example("password_checker").found(precision=0.02)
    exact = password.experiment().vulnerability
    assert found.vulnerability.lower <= exact <= (found.vulnerability.upper or 1)
    assert found.vulnerability.estimate == pytest.approx(exact, abs=0.03)


def test_the_randomised_response_service():
    found = example("randomised_response").found(precision=0.03)
    assert found.vulnerability.lower <= 3 / 7 <= found.vulnerability.upper
    assert found.vulnerability.estimate == pytest.approx(3 / 7, abs=0.05)
