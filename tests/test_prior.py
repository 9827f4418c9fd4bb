import numpy as np
import pytest

from gleak.errors import InputError
from gleak.prior import prior_over

SECRETS = np.array(["a", "b"])


def test_every_form_of_a_prior(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("secret,prior\nb,0.75\na,0.25\n")
    assert prior_over(SECRETS, "empirical") is None
    for form in ({"b": 0.75, "a": 0.25}, [0.25, 0.75], str(path), path):
        assert prior_over(SECRETS, form).tolist() == [0.25, 0.75]
    assert prior_over(SECRETS, "uniform").tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("unifrom", "'empirical', 'uniform' or a file of secrets, got 'unifrom'"),
        ("none.csv", r"none\.csv does not exist"),
        ({"a": 1.0}, "the prior lacks 'b'"),
        ({"a": 0.5, "b": 0.2}, "of sum 1, got 0.7"),
        ([0.5, 0.2, 0.3], "one number for each of the 2 secrets"),
    ],
)
def test_what_is_no_prior_is_refused(form, message):
    with pytest.raises(InputError, match=message):
        prior_over(SECRETS, form)
