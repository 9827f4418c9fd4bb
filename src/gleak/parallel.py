"""Where work runs: here, on many cores, on a cluster."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from gleak.errors import InputError, nearest

Engine = Literal["local", "ray", "dask"]
Task = TypeVar("Task")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs independent tasks, each on one thread; answers come in the order of the tasks."""

    jobs: int = 1
    engine: Engine = "local"

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise InputError.must("the number of jobs", "at least 1", self.jobs)
        if self.engine not in ("local", "ray", "dask"):
            known = ["local", "ray", "dask"]
            raise InputError(f"unknown engine {self.engine!r}; {nearest(self.engine, known)}")

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """The answers to some tasks, each as soon as it and those before it are done."""
        if self.jobs == 1 and self.engine == "local":
            for task in tasks:
                yield _alone(work, task)
            return
        import joblib

        with self._backend():
            parallel = joblib.Parallel(n_jobs=self.jobs, return_as="generator")
            yield from parallel(joblib.delayed(_alone)(work, task) for task in tasks)

    def _backend(self) -> AbstractContextManager[Any]:
        import joblib

        if self.engine == "local":
            return nullcontext()
        try:
            if self.engine == "ray":
                from ray.util.joblib import register_ray

                register_ray()
            else:
                from distributed import Client

                Client()
        except ImportError:
            raise InputError(
                f"the engine {self.engine!r} is not installed; pip install 'gleak[{self.engine}]'"
            ) from None
        return joblib.parallel_config(self.engine)


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
