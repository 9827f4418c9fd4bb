"""Where the best attacker of experiment 3 hardly decides: the five counts, each high or not.

A count is high where it exceeds what was published without the patient; nothing else of it tells.
Shown are the closest calls: how much the best guess is worth of the second, how often it comes to
that, and the share of V_g that deciding otherwise costs.
"""

from itertools import product

import numpy as np

from gleak.experiments import experiment

WORTH = np.array([1.0, 1.0, 1.0, 2.0, 2.0])
HIGH = 1 / (1 + np.exp(-1.0))
"""How likely the patient's own count is high; of any other count it is one minus that."""

SHOWN = 5


def main():
    study = experiment("differential_privacy")
    high = np.array(list(product((False, True), repeat=5)))
    chance = np.where(np.eye(5, dtype=bool), HIGH, 1 - HIGH)
    joint = study.prior * np.where(high[:, None], chance, 1 - chance).prod(axis=2)
    value = joint * WORTH
    order = np.argsort(-value, axis=1)
    first, second = np.take_along_axis(value, order[:, :2], axis=1).T
    truth = study.vulnerability
    print(f"V_g from 32 cases {first.sum():.6f}, of the system {truth:.6f}")
    print(f"{'high':>12}{'best':>6}{'second':>8}{'ratio':>7}{'how often':>11}{'cost / V_g':>12}")
    for case in np.argsort(first / second)[:SHOWN]:
        counts = "".join(str(count) for count in np.flatnonzero(high[case])) or "-"
        print(
            f"{counts:>12}{order[case, 0]:6}{order[case, 1]:8}{first[case] / second[case]:7.2f}"
            f"{joint[case].sum():11.4f}{(first[case] - second[case]) / truth:12.5f}"
        )


if __name__ == "__main__":
    main()
