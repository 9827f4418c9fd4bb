"""Where work runs: here, on many cores, on a cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeVar

from gleak.errors import InputError, nearest

Engine = Literal["local", "ray", "dask"]
Task = TypeVar("Task")
Answer = TypeVar("Answer")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs independent tasks, each on one thread."""

    jobs: int = 1
    engine: Engine = "local"

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise InputError.must("the number of jobs", "at least 1", self.jobs)
        if self.engine not in ("local", "ray", "dask"):
            known = ["local", "ray", "dask"]
            raise InputError(f"unknown engine {self.engine!r}; {nearest(self.engine, known)}")

    def map(
        self, work: Callable[[Task], Answer], tasks: Iterable[Task], *, ordered: bool = True
    ) -> Iterator[Answer]:
        """The answers to some tasks: in their order, or each as soon as it is done."""
        if self.jobs == 1 and self.engine == "local":
            for task in tasks:
                yield _alone(work, task)
            return
        import joblib

        with self._backend() as streams:
            calls = (joblib.delayed(_alone)(work, task) for task in tasks)
            if streams:
                how: Literal["generator", "generator_unordered"] = (
                    "generator" if ordered else "generator_unordered"
                )
                yield from joblib.Parallel(n_jobs=self.jobs, return_as=how)(calls)
                return
            parallel = joblib.Parallel(n_jobs=self.jobs)
            while some := list(islice(calls, self.jobs)):
                yield from parallel(some)

    @contextmanager
    def _backend(self) -> Iterator[bool]:
        """The engine, while work runs on it; whether it hands on answers one by one."""
        import joblib

        if self.engine == "local":
            yield True
            return
        try:
            if self.engine == "ray":
                from ray.util.joblib import register_ray

                register_ray()
                cluster: AbstractContextManager[Any] = nullcontext()
            else:
                from distributed import Client

                cluster = Client()
        except ImportError:
            raise InputError(
                f"the engine {self.engine!r} is not installed; pip install 'gleak[{self.engine}]'"
            ) from None
        with cluster, joblib.parallel_config(self.engine):
            yield self.engine == "dask"  # Ray's backend for joblib has no generators


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep linear algebra and OpenMP to one thread.

    More would change the last digits of sums with the number of processors; and on a machine
    whose cores are busy, threads that wait for each other are slower than one, by far.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield


def _alone(work: Callable[[Task], Answer], task: Task) -> Answer:
    with one_thread():
        return work(task)
