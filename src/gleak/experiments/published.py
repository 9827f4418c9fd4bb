"""The paper's own figures: mean errors δ̄, read off its published plots.

M. Romanelli, K. Chatzikokolakis, C. Palamidessi, P. Piantanida, "Estimating g-Leakage via Machine
Learning", ACM CCS 2020.
"""

from collections.abc import Mapping

from gleak.experiments.protocol import Preprocessing

MEAN_ERRORS: Mapping[tuple[str, str, str], Mapping[int, float]] = {
    (study, attacker, route): dict(zip(sizes, figures, strict=True))
    for study, route, sizes, columns in (
        ("multiple_guesses", "data", (10_000, 30_000, 50_000), {
            "ANN": (0.021, 0.005, 0.003),
            "k-NN": (0.026, 0.011, 0.007),
            "frequentist": (0.483, 0.226, 0.133),
        }),
        ("multiple_guesses", "channel", (10_000, 30_000, 50_000), {
            "ANN": (0.060, 0.046, 0.043),
            "k-NN": (0.231, 0.203, 0.186),
        }),
        ("location", "data", (100, 1_000, 10_000), {
            "ANN": (0.375, 0.097, 0.024),
            "k-NN": (0.352, 0.111, 0.052),
        }),
        ("location", "channel", (100, 1_000, 10_000), {
            "ANN": (0.497, 0.281, 0.081),
            "k-NN": (0.589, 0.277, 0.120),
        }),
        ("differential_privacy", "data", (10_000, 30_000, 50_000), {
            "ANN": (0.053, 0.017, 0.013),
            "k-NN": (0.045, 0.030, 0.024),
        }),
        ("differential_privacy", "channel", (10_000, 30_000, 50_000), {
            "ANN": (0.053, 0.008, 0.004),
            "k-NN": (0.040, 0.026, 0.022),
        }),
    )
    for attacker, figures in columns.items()
}  # fmt: skip
"""By study, attacker and pre-processing; then by training size."""


def mean_error(study: str, attacker: str, preprocessing: Preprocessing, size: int) -> float | None:
    """δ̄ as published, or None where nothing is.

    >>> mean_error("multiple_guesses", "k-NN", "data", 30_000)
    0.011
    """
    return MEAN_ERRORS.get((study, attacker, preprocessing), {}).get(size)
