"""Whether five networks that vote do better than each, and than one that saw all samples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from gleak.adversaries import VoteStrategy
from gleak.experiments import multiple_guesses
from gleak.experiments.attacks import Fixed, Learned, Perfect
from gleak.experiments.paper_networks import paper_network
from gleak.experiments.protocol import Cell, Protocol
from gleak.experiments.study import Study
from gleak.experiments.subject import KnownSubject, Subject, Training
from gleak.joining import joined

MEMBERS = 5
ALONE, TOGETHER, WHOLE = "one of five", "five vote", "one on all samples"


def study() -> Study:
    """Experiment 1 with five training sets of the smallest size."""
    experiment = multiple_guesses.experiment()
    network = partial(paper_network, experiment.name)
    return Study(
        name="vote",
        title="Majority vote",
        subject=KnownSubject(experiment),
        sizes=experiment.sizes[:1],
        attacks=(
            Perfect(experiment),
            Voting(ALONE, "ann", network),
            Joint(WHOLE, "ann", network),
        ),
    )


@dataclass(frozen=True)
class Voting(Fixed):
    """Networks with a training set each, and then their vote."""

    def tasks(self, study: str, sizes: Sequence[int], protocol: Protocol) -> Iterator[list[Cell]]:
        for size in sizes:
            members = [Cell(study, self.name, "data", size, place) for place in range(MEMBERS)]
            yield [*members, Cell(study, TOGETHER, "data", size, 0)]

    def learn(
        self, subject: Subject, cells: Sequence[Cell], protocol: Protocol
    ) -> Sequence[Learned]:
        """Every member is needed for the vote, also where its own cell has been kept before."""
        size = cells[0].size
        everyone = [Cell(cells[0].study, self.name, "data", size, at) for at in range(MEMBERS)]
        members = super().learn(subject, everyone, protocol)
        vote = VoteStrategy(tuple(member.strategy for member in members), protocol.seed)
        together = Learned(vote, "vote")
        return [
            together if cell.attacker == TOGETHER else members[cell.training_set] for cell in cells
        ]


@dataclass(frozen=True)
class Joint(Fixed):
    """One network for the samples of all members; as large as that makes its training set."""

    def tasks(self, study: str, sizes: Sequence[int], protocol: Protocol) -> Iterator[list[Cell]]:
        for size in sizes:
            yield [Cell(study, self.name, "data", MEMBERS * size, 0)]

    def _training(self, subject: Subject, cell: Cell, protocol: Protocol) -> Training:
        size = cell.size // MEMBERS
        parts = [subject.training("data", size, at, protocol) for at in range(MEMBERS)]
        whole, *rest = [part.samples for part in parts]
        for samples in rest:
            whole = joined(whole, samples)
        return Training(whole, parts[0].payoff)
