"""What mechanisms are made from: secrets with coordinates, a table of losses, times."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gleak.cli.priors import prior_of
from gleak.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gleak.channel import Channel
    from gleak.labels import Labels
    from gleak.matrix_file import Matrix
    from gleak.payoff import Floats
    from gleak.secrets_file import SecretsTable


@dataclass(frozen=True)
class Costs:
    """What each output costs each secret, and what is known of the secrets."""

    loss: "Floats"
    secrets: "Labels"
    outputs: "Labels"
    prior: "Floats"
    prior_name: str
    attributes: "Mapping[str, Labels]"
    distances: "Floats | None"

    @classmethod
    def of(
        cls, secrets: str | None, coordinates: str | None, loss: str | None, prior: str | None
    ) -> "Costs":
        """Distances between secrets of one file, or the losses of another."""
        exactly_one({"--secrets": secrets, "--loss": loss})
        if secrets is not None:
            return cls._distances(secrets, coordinates, prior)
        if coordinates is not None:
            raise InputError("--coordinates are columns of --secrets; leave them out with --loss")
        return cls._losses(str(loss), prior or "uniform")

    @classmethod
    def _distances(cls, path: str, coordinates: str | None, prior: str | None) -> "Costs":
        from pathlib import Path

        import numpy as np
        from scipy.spatial.distance import cdist

        from gleak.mechanisms._base import check_size
        from gleak.secrets_file import read_secrets

        if coordinates is None:
            raise InputError(
                "--secrets needs --coordinates: the columns that distances are between, as x,y"
            )
        table = read_secrets(path)
        columns = [_numbers_of(table, name, path) for name in coordinates.split(",")]
        check_size(len(table.secrets), len(table.secrets))
        points = np.stack(columns, axis=1)
        apart = cdist(points, points)
        known: dict[str, Labels] = dict(table.attributes)
        if prior is None and table.prior is not None:
            name, weights = Path(path).name, table.prior
        else:
            name = prior or "uniform"
            weights, more = prior_of(table.secrets, name)
            known.update(more)
        return cls(apart, table.secrets, table.secrets, weights, name, known, apart)

    @classmethod
    def _losses(cls, path: str, prior: str) -> "Costs":
        import numpy as np

        from gleak.channel_file import as_written
        from gleak.labels import as_labels
        from gleak.matrix_file import read_matrix

        read = read_matrix(path, named=True)
        assert read.rows is not None
        assert read.columns is not None  # a matrix read as named has both
        secrets = as_labels(as_written(read.rows), "secrets", where=path)
        outputs = as_labels(as_written(read.columns), "outputs", where=path)
        weights, known = prior_of(secrets, prior)
        return cls(np.asarray(read.values), secrets, outputs, weights, prior, known, None)

    def named(self, matrix: "Matrix") -> "Channel":
        """A channel from the secrets to the outputs."""
        from gleak.channel import Channel

        return Channel(matrix, self.prior, self.secrets, self.outputs, attributes=self.attributes)


def channel_over_times(
    channel: str | None, secrets: str | None, times: str | None
) -> "tuple[Channel, str | None]":
    """A channel whose observables are times, and the name of the prior it brings."""
    import numpy as np

    from gleak.channel import Channel
    from gleak.secrets_file import read_secrets

    exactly_one({"--channel": channel, "--secrets": secrets})
    if channel is not None:
        if times is not None:
            raise InputError("--times is a column of --secrets; leave it out with --channel")
        return Channel.read(channel), None
    if times is None:
        raise InputError("--secrets needs --times: the column with the time of each secret")
    table = read_secrets(str(secrets))
    taken, which = np.unique(_numbers_of(table, times, str(secrets)), return_inverse=True)
    certain = (which[:, None] == np.arange(len(taken))).astype(np.float64)
    known = Channel(certain, table.prior, table.secrets, taken, attributes=table.attributes)
    return known, None if table.prior is None else str(secrets)


def exactly_one(options: "Mapping[str, object]") -> None:
    """Refuse none or several of some options that stand for each other."""
    names = " or ".join(options)
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} exclude each other; give one of them")
    if not given:
        raise InputError(f"nothing says what to go by; give {names}")


def _numbers_of(table: "SecretsTable", name: str, path: str) -> "Floats":
    if name not in table.attributes:
        raise InputError(f"{path} has no column {name!r}; {nearest(name, list(table.attributes))}")
    column = table.attributes[name]
    if column.dtype.kind != "f":
        raise InputError.must(
            f"column {name!r}", "of numbers", repr(column.tolist()[0]), where=path
        )
    return column
