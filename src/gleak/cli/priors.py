"""Priors as the command line names them: 'uniform', or a file of secrets."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gleak.channel import Channel
    from gleak.labels import Labels
    from gleak.payoff import Floats


def under_prior(channel: "Channel", prior: str) -> "Channel":
    """The same channel under a named prior, with what its file knows of the secrets."""
    from gleak.channel import Channel

    weights, attributes = prior_of(channel.secrets, prior)
    return Channel(
        channel.matrix, weights, channel.secrets, channel.observables,
        attributes={**channel.attributes, **attributes},
    )  # fmt: skip


def prior_of(secrets: "Labels", prior: str) -> "tuple[Floats, Mapping[str, Labels]]":
    """The weights of a named prior, and what its file knows of the secrets."""
    import numpy as np

    from gleak.errors import InputError
    from gleak.labels import locate
    from gleak.secrets_file import align_prior, read_secrets

    if prior == "uniform":
        return np.full(len(secrets), 1.0 / len(secrets)), {}
    if "." not in prior:
        raise InputError.must("the prior", "'uniform' or a file of secrets", repr(prior))
    table = read_secrets(prior)
    weights = align_prior(table, secrets, where=prior)
    places = locate(secrets.tolist(), table.secrets, "the prior")
    return weights, {name: values[places] for name, values in table.attributes.items()}
