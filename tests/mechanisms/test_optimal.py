"""Optimal mechanisms against closed forms, vertex enumeration and other units."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gleak.channel import Channel
from gleak.errors import GleakError, InputError
from gleak.gain import bayes, distance, matrix, partition, tries
from gleak.mechanisms import expected_loss, least_loss, least_vulnerability

PRIOR = np.array([0.4, 0.3, 0.2, 0.1])
WRONG = 1.0 - np.eye(4)
LINE = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))


@pytest.mark.parametrize("bound", [0.4, 0.55, 0.8, 1.0, 3.0])
def test_without_errors_nothing_but_leaks(bound: float) -> None:
    # Σ_y max_x π_x C[x,y] ≥ Σ_y π_y C[y,y] = 1 − loss, so that loss ≥ 1 − V. Mixing the identity
    # with "always the likeliest" reaches it, as that mixture's V is at most 1 − loss.
    best = least_loss(PRIOR, "bayes", WRONG, max_vulnerability=bound)
    assert expected_loss(best, WRONG) == pytest.approx(max(0.0, 1.0 - bound), abs=1e-9)
    assert best.posterior_vulnerability() <= bound + 1e-9


def test_only_constant_mechanisms_leak_nothing() -> None:
    # V_g = V_g(π) with the identity gain: the likeliest secret wins in every column. The median
    # of the prior, secret 1, is the cheapest constant: .4·1 + .2·1 + .1·2 = .8.
    best = least_vulnerability(PRIOR, "bayes", LINE, max_loss=0.8)
    assert best.posterior_vulnerability() == pytest.approx(0.4, abs=1e-9)
    assert expected_loss(best, LINE) <= 0.8 + 1e-9


def test_the_two_programs_are_each_other_s_inverse() -> None:
    loose = least_loss(PRIOR, "tries:2", LINE, max_vulnerability=0.85)
    cost = expected_loss(loose, LINE)
    tight = least_vulnerability(PRIOR, "tries:2", LINE, max_loss=cost)
    assert tight.posterior_vulnerability("tries:2") == pytest.approx(0.85, abs=1e-8)


def enumerate_vertices(prior, gains, loss, bound):
    """Least loss over C = [[1−a, a], [b, 1−b]], found at a vertex of the region for (a, b)."""
    # Lines p·(a,b) ≤ q: the unit square, and one for each pair of guesses at the two outputs.
    lines = [((-1.0, 0.0), 0.0), ((1.0, 0.0), 1.0), ((0.0, -1.0), 0.0), ((0.0, 1.0), 1.0)]
    worth = gains * prior
    for u, v in itertools.product(range(len(gains)), repeat=2):
        slope = (worth[v, 0] - worth[u, 0], worth[u, 1] - worth[v, 1])
        lines.append((slope, bound - worth[u, 0] - worth[v, 1]))
    normals, offsets = np.array([p for p, _ in lines]), np.array([q for _, q in lines])
    best = np.inf
    for i, j in itertools.combinations(range(len(lines)), 2):
        corner = normals[[i, j]]
        if abs(np.linalg.det(corner)) < 1e-9:
            continue
        a, b = np.linalg.solve(corner, offsets[[i, j]])
        if (normals @ (a, b) <= offsets + 1e-9).all():
            rows = np.array([[1 - a, a], [b, 1 - b]])
            best = min(best, float(prior @ (rows * loss).sum(axis=1)))
    return best


whole = st.integers(-3, 4).map(float)


@settings(deadline=None, max_examples=60)
@given(
    gains=arrays(float, (3, 2), elements=whole),
    loss=arrays(float, (2, 2), elements=whole),
    share=st.sampled_from([0.0, 0.25, 0.5, 0.9]),
    first=st.sampled_from([0.125, 0.5, 0.75]),
)
def test_agrees_with_vertices(gains, loss, share, first) -> None:
    prior = np.array([first, 1 - first])
    blind = (gains @ prior).max()
    seen = prior @ gains.max(axis=0)
    bound = blind + share * (seen - blind)
    best = least_loss(prior, matrix(gains), loss, max_vulnerability=bound)
    wanted = enumerate_vertices(prior, gains, loss, bound)
    assert expected_loss(best, loss) == pytest.approx(wanted, abs=1e-6)
    assert best.posterior_vulnerability(matrix(gains)) <= bound + 1e-6


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1.0, 1e3, 1e12])
@pytest.mark.parametrize("worth", [1e-9, 1.0, 1e9])
def test_units_do_not_matter(unit: float, worth: float) -> None:
    gain = distance(2.0, peak=worth, shape="linear")
    best = least_loss(PRIOR, gain, LINE * unit, max_vulnerability=0.8 * worth)
    plain = least_loss(PRIOR, distance(2.0, shape="linear"), LINE, max_vulnerability=0.8)
    assert expected_loss(best, LINE) == pytest.approx(expected_loss(plain, LINE), rel=1e-9)
    assert best.posterior_vulnerability(gain) == pytest.approx(0.8 * worth, rel=1e-9)


def test_rare_secrets_count_where_their_gain_is_large() -> None:
    # Gains and losses of 1/π_x make every secret weigh the same: V = Σ_y max_x C[x,y] and
    # loss = Σ_x (1 − C[x,x]), so that the least loss is 4 − V.
    prior = np.array([1.0, 1e-4, 1e-8, 1e-13])
    prior /= prior.sum()
    gain = matrix(np.diag(1 / prior))
    loss = WRONG / prior[:, None]
    best = least_loss(prior, gain, loss, max_vulnerability=1.5)
    assert expected_loss(best, loss) == pytest.approx(2.5, abs=1e-6)
    assert best.posterior_vulnerability(gain) == pytest.approx(1.5, abs=1e-6)


def test_a_rare_secret_spoils_nobody_else_s_answer() -> None:
    prior = np.array([0.5, 0.5 - 1e-11, 1e-11])
    loss = 1.0 - np.eye(3)
    best = least_loss(prior, "bayes", loss, max_vulnerability=0.75)
    assert expected_loss(best, loss) == pytest.approx(0.25, abs=1e-9)


def test_pairs_that_may_not_happen_do_not() -> None:
    near = LINE <= 1
    best = least_loss(PRIOR, "bayes", LINE, max_vulnerability=0.6, allowed=near)
    assert (best.matrix[~near] == 0).all()
    assert best.posterior_vulnerability() == pytest.approx(0.6, abs=1e-9)
    free = least_loss(PRIOR, "bayes", LINE, max_vulnerability=0.6)
    assert expected_loss(free, LINE) <= expected_loss(best, LINE) + 1e-9


def test_fewer_outputs_than_secrets_and_guesses_that_are_classes() -> None:
    loss = np.array([[0.0, 2.0], [1.0, 1.0], [3.0, 0.0]])
    gain = partition(lambda secret: secret == "c")
    best = least_loss(
        [0.25, 0.25, 0.5], gain, loss, max_vulnerability=0.75,
        secrets=["a", "b", "c"], observables=["low", "high"],
    )  # fmt: skip
    assert best.observables.tolist() == ["low", "high"]
    assert best.secrets.tolist() == ["a", "b", "c"]
    # Secret b costs 1 · .25 wherever it goes, the others nothing where they belong. Sent low, b
    # tells the class apart (V = 1); sent high, V = .25 + max(.25, .5) = .75.
    assert expected_loss(best, loss) == pytest.approx(0.25, abs=1e-9)
    assert best.posterior_vulnerability(gain) <= 0.75 + 1e-9


def test_secrets_of_prior_zero_report_what_costs_them_least() -> None:
    loss = np.array([[0.0, 1.0], [1.0, 0.0], [7.0, 5.0]])
    best = least_loss([0.5, 0.5, 0.0], "bayes", loss, max_vulnerability=0.5)
    assert best.matrix[2].tolist() == [0.0, 1.0]
    assert best.posterior_vulnerability() == pytest.approx(0.5, abs=1e-9)


def test_an_output_that_only_impossible_secrets_may_use_is_no_loophole() -> None:
    pairs = np.array([[True, False], [True, False], [False, True]])
    gain = matrix([[1.0, 1.0, 1.0], [-5.0, -5.0, -5.0]])
    best = least_loss([0.5, 0.5, 0.0], gain, pairs * 1.0, max_vulnerability=1.0, allowed=pairs)
    assert best.posterior_vulnerability(gain) == pytest.approx(1.0)


@pytest.mark.parametrize("gain", [bayes(), tries(2), matrix(np.zeros((2, 4)))])
def test_rows_are_exactly_stochastic(gain) -> None:
    best = least_vulnerability(PRIOR, gain, LINE, max_loss=0.3)
    assert best.matrix.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-15)
    assert (best.matrix >= 0).all()


def test_bounds_that_cannot_be_kept_name_the_least_one() -> None:
    with pytest.raises(InputError, match=r"max_vulnerability must be at least 0\.4, .* got 0\.3;"):
        least_loss(PRIOR, "bayes", LINE, max_vulnerability=0.3)
    with pytest.raises(InputError, match=r"at least 1, .* allow more pairs"):
        least_loss(PRIOR, "bayes", LINE, max_vulnerability=0.9, allowed=np.eye(4))
    with pytest.raises(InputError, match=r"max_loss must be at least 2, .* got 1\.5; raise it"):
        least_vulnerability(
            PRIOR, "bayes", LINE, max_loss=1.5, allowed=np.arange(4) == np.full((4, 1), 3)
        )


@pytest.mark.parametrize(
    ("loss", "allowed", "message"),
    [
        (np.zeros(4), None, "the loss must be a matrix"),
        ([[0, np.nan]] * 4, None, "finite numbers"),
        (LINE, np.eye(3), "allowed must be of the loss's shape"),
        (LINE, np.diag([1, 1, 0, 1]), "every secret must be allowed an output, got none in row 2"),
    ],
)
def test_refusals(loss, allowed, message) -> None:
    with pytest.raises(InputError, match=message):
        least_loss(PRIOR, "bayes", loss, max_vulnerability=0.9, allowed=allowed)


def test_bounds_are_numbers() -> None:
    with pytest.raises(InputError, match="a finite number, got nan"):
        least_loss(PRIOR, "bayes", LINE, max_vulnerability=np.nan)


def test_solutions_that_do_not_hold_up_are_not_believed(monkeypatch) -> None:
    import scipy.optimize

    solve = scipy.optimize.linprog

    def forgetful(cost, rows, limits, *more, **options):
        return solve(cost, rows, limits + 0.05, *more, **options)

    monkeypatch.setattr(scipy.optimize, "linprog", forgetful)
    with pytest.raises(GleakError, match="no solution of the linear program holds up"):
        least_loss(PRIOR, "bayes", WRONG, max_vulnerability=0.5)


def test_programs_too_large_are_refused_before_they_are_built() -> None:
    n = 300
    with pytest.raises(InputError, match="allow fewer pairs"):
        least_loss(
            np.full(n, 1 / n), matrix(np.ones((n, n))), np.ones((n, n)), max_vulnerability=1.0
        )


def test_expected_loss_is_the_mean_over_pairs() -> None:
    channel = Channel([[0.5, 0.5], [0.25, 0.75]], prior=[0.2, 0.8])
    assert expected_loss(channel, [[1, 2], [4, 8]]) == pytest.approx(0.2 * 1.5 + 0.8 * 7.0)
