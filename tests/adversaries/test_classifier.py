import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from gleak.adversaries import Classifier
from gleak.errors import GleakWarning, InputError
from gleak.gain import matrix
from gleak.mechanisms import geometric
from gleak.observables import Observables
from gleak.samples import Samples

CHANNEL = geometric(12, nu=0.5, centres=[1, 4, 7, 10])
EVERYTHING = Observables.of(np.arange(12))


def samples_of(n: int, seed: int = 0) -> Samples:
    codes, seen = CHANNEL.sample(n, rng=seed)
    return Samples.of(codes, seen)


def fit(estimator, samples: Samples, gain="bayes", route="secret", rng=0):
    return Classifier(estimator, route=route).fit(samples, samples.bind(gain), rng=rng)


class Recording(ClassifierMixin, BaseEstimator):
    """Keeps what it is shown in ``seen``, of the class: clones would lose it otherwise."""

    seen: tuple = ()

    def fit(self, X, y):
        type(self).seen = (X.copy(), y.copy())
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.tile(np.arange(1.0, len(self.classes_) + 1), (len(X), 1))


class Weighted(Recording):
    """Takes weights too."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        type(self).seen += (sample_weight,)
        return self


@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNB(),
        RandomForestClassifier(n_estimators=20, min_samples_leaf=10),
        KNeighborsClassifier(25),
        LinearDiscriminantAnalysis(),
        make_pipeline(StandardScaler(), DecisionTreeClassifier(min_samples_leaf=10)),
        "sklearn.naive_bayes:GaussianNB",
        DecisionTreeClassifier,
    ],
    ids=str,
)
def test_any_classifier_attacks(estimator):
    strategy = fit(estimator, samples_of(1500))
    earned = CHANNEL.value(strategy.guess(EVERYTHING))
    assert earned > 0.95 * CHANNEL.posterior_vulnerability()


def test_the_estimator_is_cloned_and_left_alone():
    forest = RandomForestClassifier(n_estimators=3)
    strategy = fit(forest, samples_of(100))
    assert not hasattr(forest, "classes_")
    assert forest.random_state is None
    assert strategy.scores.scores.estimator is not forest


def test_its_randomness_is_ours():
    samples = samples_of(200)
    forest = RandomForestClassifier(n_estimators=3, random_state=5)
    states = {fit(forest, samples, rng=r).scores.scores.estimator.random_state for r in (1, 1, 2)}
    assert len(states) == 2
    assert 5 not in states
    nested = make_pipeline(StandardScaler(), DecisionTreeClassifier())
    inner = fit(nested, samples).scores.scores.estimator[-1]
    assert isinstance(inner.random_state, int)


def test_samples_are_shown_row_by_row_in_their_order():
    samples = samples_of(50)
    fit(Recording(), samples)
    table, labels = Recording.seen
    shown = samples.observables.matrix()
    np.testing.assert_allclose(table, (shown - shown.mean()) / shown.std())
    np.testing.assert_array_equal(labels, samples.codes)


def test_labels_are_contiguous_and_scores_spread_over_all_secrets():
    samples = samples_of(80)
    some = samples.take(np.isin(samples.codes, [1, 3]))
    strategy = fit(Recording(), some)
    assert set(Recording.seen[1]) == {0, 1}
    np.testing.assert_allclose(strategy.posterior(EVERYTHING)[0], [0, 1 / 3, 0, 2 / 3])


def test_importance_weights_become_sample_weights():
    samples = replace(samples_of(30), weights=np.linspace(0.5, 3, 30))
    fit(Weighted(), samples)
    np.testing.assert_array_equal(Weighted.seen[2], samples.weights)


def test_without_weights_nothing_is_weighted():
    fit(Weighted(), samples_of(30))
    assert Weighted.seen[2] is None


def test_guess_route_through_weights():
    """Each distinct observable with the weight Σ_x u(x,y)·g(w,x), once."""
    samples = Samples.of([0, 0, 1], [5.0, 5.0, 9.0])
    fit(Weighted(), samples, matrix([[2, 0.25], [0, 1]]), route="guess")
    table, labels, weights = Weighted.seen
    rows = sorted(zip(table[:, 0] > 0, labels, weights, strict=True))
    assert rows == [(False, 0, 4.0), (True, 0, 0.25), (True, 1, 1.0)]


def test_guess_route_through_copies_says_so():
    """Gains in quarters: K = 4."""
    samples = Samples.of([0, 0, 1], [5.0, 5.0, 9.0])
    with pytest.warns(GleakWarning, match="takes no sample_weight: its 3 samples become 21 copies"):
        fit(Recording(), samples, matrix([[2, 0.25], [0, 1]]), route="guess")
    table, labels = Recording.seen
    rows = list(zip(table[:, 0] > 0, labels, strict=True))
    assert rows.count((False, 0)) == 16
    assert rows.count((True, 0)) == 1
    assert rows.count((True, 1)) == 4


def test_one_copy_for_each_guess_is_said_too():
    samples = Samples.of([0, 1, 2], [5.0, 7.0, 9.0])
    with pytest.warns(GleakWarning, match="its 3 samples become 6 copies"):
        fit(Recording(), samples, "tries:2", route="guess")
    assert sorted(Recording.seen[1]) == [0, 0, 1, 1, 2, 2]


def test_as_many_copies_as_samples_are_nothing_to_warn_of():
    samples = samples_of(60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(Recording(), samples, route="guess")
    assert len(Recording.seen[1]) == 60


def test_copies_that_cannot_be_made_are_refused():
    with pytest.raises(InputError, match="denominator up to 1000"):
        fit(Recording(), samples_of(30), matrix(np.diag([np.pi, 1, 1, 1])), route="guess")
    with pytest.raises(InputError, match="the copies must be at most 10,000,000"):
        fit(Recording(), samples_of(30), matrix(np.diag([1e7, 1, 1, 1])), route="guess")


def test_weights_that_cannot_be_copied_are_refused_with_the_reason():
    samples = replace(samples_of(30), weights=np.sqrt(np.arange(1.0, 31.0)))
    with pytest.raises(InputError, match=r"Recording takes no sample_weight .* denominator up to"):
        fit(Recording(), samples)


@pytest.mark.parametrize("gain", ["bayes", "tries:2"])
@pytest.mark.parametrize("estimator", [LinearSVC(), Perceptron()], ids=str)
def test_without_probabilities_the_guess_route_works(estimator, gain):
    samples = samples_of(1500)
    strategy = fit(estimator, samples, gain, route="guess")
    guesses = strategy.guess(EVERYTHING)
    assert CHANNEL.value(guesses, gain) > CHANNEL.prior_vulnerability(gain)


def test_without_probabilities_the_secret_route_is_refused():
    with pytest.raises(InputError, match="LinearSVC on the secret route must be able to give prob"):
        fit(LinearSVC(), samples_of(50))


def test_what_is_no_classifier_is_refused():
    for estimator in (LinearRegression(), "sklearn.linear_model:LinearRegression", 7):
        with pytest.raises(InputError, match="an adversary must be a classifier, got"):
            fit(estimator, samples_of(50))
    with pytest.raises(InputError, match="a classifier as text must be 'module:Class', got 'knn'"):
        fit("knn", samples_of(50))
    with pytest.raises(InputError, match="module 'no_such' cannot be imported"):
        fit("no_such:Thing", samples_of(50))
    with pytest.raises(InputError, match=r"'Pipeline' cannot be made .* 'steps'; name an object"):
        fit("sklearn.pipeline:Pipeline", samples_of(50))


class Vague(ClassifierMixin, BaseEstimator):
    """Gives no probability at all for what lies far away."""

    def fit(self, table, label):
        self.classes_ = np.unique(label)
        return self

    def predict_proba(self, table):
        return np.where(table > 1, np.nan, 1 / len(self.classes_)) * np.ones(len(self.classes_))


def test_probabilities_that_are_no_numbers_are_refused():
    """NaN compares as the highest: the secret it stands for would be guessed."""
    strategy = fit(Vague(), samples_of(50))
    assert strategy.guess(EVERYTHING.take(slice(0, 3))).tolist() == [0, 0, 0]
    with pytest.raises(InputError, match="probabilities of Vague must be finite numbers, got NaN"):
        strategy.guess(EVERYTHING)


def test_a_label_without_a_probability_is_refused():
    strategy = fit(GaussianNB(), samples_of(50))
    learned = strategy.scores.scores.estimator
    learned.predict_proba = lambda table: np.full((len(table), 3), 1 / 3)
    with pytest.raises(InputError, match=r"probabilities of GaussianNB must be one for each of the "
                       r"4 labels it learned, got a table of \(12, 3\) for 12"):  # fmt: skip
        strategy.guess(EVERYTHING)


def test_what_goes_wrong_in_a_classifier_is_said_with_its_name():
    with pytest.raises(InputError, match="MultinomialNB cannot learn here: Negative values") as e:
        fit(MultinomialNB(), samples_of(50))
    assert isinstance(e.value.__cause__, ValueError)
    strategy = fit(Recording(), samples_of(50))
    strategy.scores.scores.estimator.predict_proba = lambda table: 1 / 0
    with pytest.raises(InputError, match="Recording cannot guess here: division by zero"):
        strategy.guess(EVERYTHING)


def test_categories_are_shown_one_hot():
    samples = Samples.of([0, 1, 2] * 5, {"c": ["x", "y", "z"] * 5, "n": np.arange(15.0)})
    fit(Recording(), samples)
    np.testing.assert_array_equal(Recording.seen[0][:, 1:], np.tile(np.eye(3), (5, 1)))
