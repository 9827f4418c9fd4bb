"""Random answers: the truth with some odds, or the likelier the less they cost."""

import numpy as np
from numpy.typing import ArrayLike

from gleak.channel import Channel
from gleak.mechanisms._base import as_losses, check_positive, check_size, decay, rows_of


def randomised_response(
    secrets: int | ArrayLike, epsilon: float, *, prior: ArrayLike | None = None
) -> Channel:
    """The truth with odds e^epsilon : 1 against each lie (Warner 1965, with any number of answers).

    ``secrets`` are the possible answers, or how many there are.

    >>> randomised_response(["no", "yes"], epsilon=np.log(3)).matrix.round(2)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    check_positive("epsilon", epsilon)
    many = secrets if isinstance(secrets, int) else np.size(secrets)
    check_size(many, many)
    answers = np.arange(secrets) if isinstance(secrets, int) else np.asarray(secrets)
    odds = np.where(np.eye(len(answers), dtype=bool), 1.0, np.exp(-epsilon))
    return Channel(rows_of(odds), prior, secrets=answers, observables=answers)


def exponential(
    loss: ArrayLike,
    rate: float,
    *,
    prior: ArrayLike | None = None,
    secrets: ArrayLike | None = None,
    observables: ArrayLike | None = None,
) -> Channel:
    """An output y has probability ∝ exp(−rate·loss[x,y]) (McSherry and Talwar, FOCS 2007).

    Any metric will do for a loss: with distances between places it is renormalised planar noise.

    >>> exponential([[0, 1], [1, 0]], rate=np.log(3)).matrix.round(2)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    check_positive("rate", rate)
    weights = decay(rate * as_losses(loss))
    return Channel(rows_of(weights), prior, secrets=secrets, observables=observables)
