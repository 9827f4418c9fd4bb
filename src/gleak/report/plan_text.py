"""A plan as a person reads it in a terminal."""

import math

from rich.console import RenderableType

from gleak.planning import Plan


def plan_report(plan: Plan) -> RenderableType:
    """Both answers, the useful one first."""
    percent = f"{100 * plan.confidence:g} %"
    return "\n".join(
        [
            f"{plan.certify:,} certifying samples",
            f"  bring the proven lower side within {plan.precision:g} of the estimate,",
            f"  at {percent} confidence, where gains deviate by {plan.deviation:.3g}.",
            "",
            f"{plan.worst_train:,} training and {plan.worst_certify:,} validation samples",
            f"  suffice whatever the system, by the corollary of the paper, for {_rules(plan)}:",
            "  the best rule is then found, and its gain counted, each within the precision.",
            "",
            "Training samples for a real attacker are read off its learning curve: where the",
            "curve of gleak estimate is flat, more of them bring little.",
        ]
    )


def _rules(plan: Plan) -> str:
    if plan.rules is not None and plan.rules < 10**9:
        return f"any of {plan.rules:,} attack rules"
    return f"any of about 2^{math.floor(plan.rule_bits)} attack rules"
