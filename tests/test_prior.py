import numpy as np
import pandas as pd
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


def test_a_series_is_read_by_the_names_of_its_index():
    counted = pd.Series(["b", "b", "a", "b"]).value_counts(normalize=True)
    assert prior_over(SECRETS, counted).tolist() == [0.25, 0.75]
    numbers = pd.Series([1, 1, 0, 1]).value_counts(normalize=True)
    assert prior_over(np.array([0, 1]), numbers).tolist() == [0.25, 0.75]
    assert prior_over(SECRETS, pd.Series([0.25, 0.75])).tolist() == [0.25, 0.75]
    with pytest.raises(InputError, match="the prior lacks 'a'"):
        prior_over(SECRETS, pd.Series([0.25, 0.75], index=["b", "c"]))
