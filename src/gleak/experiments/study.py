"""A study: what is attacked, with how many samples, and by whom."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial

from gleak.adversaries import Adversary, Frequentist, Neighbours, Neural, adversary
from gleak.experiments._base import Experiment
from gleak.experiments.attacks import KINDS, Attack, Auto, Fixed, Perfect
from gleak.experiments.paper_networks import HYPERPARAMETERS, paper_network
from gleak.experiments.protocol import Cell, Preprocessing, Protocol
from gleak.experiments.subject import KnownSubject, Subject


@dataclass(frozen=True)
class Study:
    """What is attacked, from how many samples, and who attacks.

    ``remark`` is what a reader has to know who compares its figures with the paper's.
    ``overshadowing`` are attackers so far off that the others are also looked at without them.
    """

    name: str
    title: str
    subject: Subject
    sizes: tuple[int, ...]
    attacks: tuple[Attack, ...]
    remark: str = ""
    overshadowing: tuple[str, ...] = ()

    @property
    def routes(self) -> tuple[Preprocessing, ...]:
        """The ways to the gain that its attackers take."""
        return tuple(dict.fromkeys(attack.preprocessing for attack in self.attacks))

    def attackers(self, wanted: Collection[str]) -> list[Attack]:
        """Those of some kinds, all where none is named; adversaries named otherwise join in.

        They join where ``auto`` attacks, to be compared with it. The perfect attacker comes
        with any other: it is the floor.
        """
        if not wanted:
            return list(self.attacks)
        found = [attack for attack in self.attacks if attack.kind in wanted]
        if any(attack.kind == "auto" for attack in self.attacks):
            others = [name for name in wanted if name not in KINDS]
            found += [Fixed(name, "other", partial(_named, name)) for name in others]
        return [attack for attack in self.attacks if found and attack.kind == "perfect"] + found

    def tasks(self, attack: Attack, protocol: Protocol) -> Iterator[list[Cell]]:
        """Everything an attacker is to learn, in pieces that may be learned apart."""
        sets = min(protocol.training_sets, self.subject.training_sets or protocol.training_sets)
        return attack.tasks(self.name, self.sizes, replace(protocol, training_sets=sets))


def comparison(
    experiment: Experiment,
    title: str,
    name: str | None = None,
    *,
    remark: str = "",
    overshadowing: tuple[str, ...] = (),
    best_moment: bool = False,
) -> Study:
    """The paper's comparison on an experiment: its attackers by both routes, ``auto``, the floor.

    A gain that is the identity needs no pre-processing, so the paper sets one network for it.
    With ``best_moment`` that network also competes as it was at the best moment of its training.
    """
    routes: list[Preprocessing] = [
        way for known, way in HYPERPARAMETERS if known == experiment.name
    ]
    neighbours = Neighbours("paper", experiment.metric)
    attacks: list[Attack] = [Perfect(experiment), Auto()]
    for route in routes:
        network = partial(paper_network, experiment.name, preprocessing=route)
        attacks.append(Fixed("ANN", "ann", network, route))
        if best_moment:
            chosen = partial(_at_its_best, network)
            attacks.append(Fixed("ANN, best moment", "ann", chosen, route))
        attacks.append(Fixed("k-NN", "k-nn", lambda _: neighbours, route))
    attacks.append(Fixed("frequentist", "frequentist", lambda _: Frequentist()))
    return Study(
        name=name or experiment.name,
        title=title,
        subject=KnownSubject(experiment),
        sizes=experiment.sizes,
        attacks=tuple(attacks),
        remark=remark,
        overshadowing=overshadowing,
    )


def _at_its_best(network: Callable[[int], Neural], size: int) -> Neural:
    """The same network, stopped where it does best on a tenth of the samples held out."""
    last = network(size)
    return replace(last, training=replace(last.training, early_choice=True))


def _named(name: str, _: int) -> Adversary:
    return adversary(name)
