"""The studied systems: exact figures, and the floor that validation noise puts under any attacker.

The floor is the expected |V̂ − V_g|/V_g of the perfect attacker on 50,000 validation samples, by
the central limit theorem √(2/π)·σ/(√n·V_g), where σ² is the variance of its gain.
"""

import numpy as np

from gleak.experiments import experiment, location, password
from gleak.experiments._base import Experiment
from gleak.mechanisms import expected_loss

WANTED = {
    "multiple_guesses": (0.891726, 0.2, 0.00124),
    "location": (2.0, 0.247177, 0.00255),  # one of many optimal mechanisms: .0023 to .0028
    "differential_privacy": (0.683512, 0.541254, 0.00312),
}
PASSWORD_WANTED = {0.1: 0.5456, 0.5: 0.6758, 1.0: 0.7831}
LOSS_WANTED = 237.642
SIZE = 50_000


def show(what: str, wanted: float, measured: float) -> None:
    print(f"{what:44}{wanted:12.6g}{measured:12.6g}{measured / wanted:10.5f}")


def floor(study: Experiment) -> float:
    points, payoff = study.system.points, study.payoff
    guesses = study.optimal.guess(points.observables)
    gains = [payoff.value(guesses, np.full(len(guesses), x)) for x in range(payoff.n_secrets)]
    variance = np.sum(points.joint * np.square(gains).T) - study.vulnerability**2
    return float(np.sqrt(2 / np.pi * variance / SIZE) / study.vulnerability)


def main() -> None:
    print(f"{'':44}{'wanted':>12}{'measured':>12}{'ratio':>10}")
    for name, (vulnerability, prior, least) in WANTED.items():
        study = experiment(name)
        show(f"{name}: V_g", vulnerability, study.vulnerability)
        show(f"{name}: prior V_g", prior, study.prior_vulnerability)
        show(f"{name}: floor", least, floor(study))
    for nu, vulnerability in PASSWORD_WANTED.items():
        show(f"password, nu = {nu}: V_g", vulnerability, password.experiment(nu).vulnerability)
    channel = experiment("location").system.channel
    loss = expected_loss(channel, location.GRID.distances)
    show("location: expected loss in metres", LOSS_WANTED, loss)


if __name__ == "__main__":
    main()
