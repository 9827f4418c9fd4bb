"""``gleak estimate``: the strongest attacker found in recorded samples, and what is proven."""

from gleak.cli.output import JsonTarget, emit
from gleak.cli.sampling import SamplesFile, Sampling, with_sampling


@with_sampling
def estimate(file: SamplesFile, sampling: Sampling, json: JsonTarget = None) -> None:
    """Find the strongest attacker in recorded samples, and say what is proven."""
    from gleak.report.estimate_text import estimate_report

    found = sampling.estimates(sampling.read(file))
    emit(found, json, lambda: estimate_report(found))
