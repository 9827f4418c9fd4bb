import os

import pytest
from threadpoolctl import threadpool_info

from gleak.errors import InputError
from gleak.parallel import Runner, one_thread

WHERE = ["__import__('os').getpid()"] * 3
"""Asked of ``eval``, which every process has; functions of this file are known here only."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_the_order_of_the_tasks(jobs):
    assert list(Runner(jobs).map(abs, range(0, -7, -1))) == list(range(7))


def test_one_job_stays_here_and_two_do_not():
    assert set(Runner(1).map(eval, WHERE)) == {os.getpid()}
    assert os.getpid() not in set(Runner(2).map(eval, WHERE))


def test_one_thread_is_one_thread():
    import numpy  # noqa: F401 - brings the linear algebra that is limited

    with one_thread():
        assert all(pool["num_threads"] == 1 for pool in threadpool_info())


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_an_engine_that_is_not_installed_says_how_to_get_it(engine):
    with pytest.raises(InputError, match=rf"pip install 'gleak\[{engine}\]'"):
        list(Runner(2, engine).map(abs, range(3)))
