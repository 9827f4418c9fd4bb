import pickle
from dataclasses import replace

import numpy as np
import pytest

from gleak import gain
from gleak.adversaries import _loop
from gleak.adversaries._inputs import Encoder
from gleak.adversaries._training import Plan
from gleak.adversaries.neural import Dense, LeNet, Neural, Training, _held_out
from gleak.errors import GleakError, InputError
from gleak.observables import Observables
from gleak.preprocess import copies
from gleak.samples import Samples

LINEAR = Dense(())
QUICK = Training(steps=60, batch=50, learning_rate=0.05)


def silent(done, total):
    pass


def blobs(n=400, rng=0, **more):
    """Four secrets, each around its own number: one in ten is seen at another's."""
    generator = np.random.default_rng(rng)
    secrets = generator.integers(0, 4, n)
    shown = np.where(generator.random(n) < 0.1, generator.integers(0, 4, n), secrets)
    return Samples.of(secrets, {"y": shown * 10.0}, **more)


def seen(values):
    return Observables.of({"y": np.asarray(values, dtype=float)})


def problem(inputs, codes, targets=None, *, network=LINEAR, steps=1, rows=None, held=None, rng=0):
    generator = np.random.default_rng(rng)
    inputs, codes = np.asarray(inputs, np.float32), np.asarray(codes, np.int32)
    outputs = int(codes.max()) + 1 if targets is None else targets.shape[1]
    built = network.build(inputs.shape[1], outputs, generator)
    data = _loop.Data(inputs, codes, np.ones(len(codes), np.float32), targets)
    plan = Plan(steps, rows or len(codes), 0.01, "constant")
    return _loop.Problem(built, data, held, plan, generator)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def weights_of(network, layer=0):
    return np.asarray(network.layers[layer].weight)


@pytest.fixture(scope="module")
def samples():
    return blobs()


@pytest.fixture(scope="module")
def strategy(samples):
    return Neural(LINEAR, QUICK).fit(samples, samples.bind("bayes"), rng=0)


class TestObjective:
    gains = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, -1.0]])  # two guesses, three secrets

    def test_is_that_of_the_copies(self):
        rng = np.random.default_rng(1)
        samples = Samples.of(rng.integers(0, 3, 40), {"y": rng.normal(size=40)})
        payoff = samples.bind(gain.matrix(self.gains))
        soft = Neural(LINEAR, replace(QUICK, early_choice=False), "guess")
        encoder = Encoder.of(samples, "standard")
        job = soft._problem(samples, payoff, encoder, np.random.default_rng(0))
        copied = copies(samples, payoff)
        scores = np.asarray(job.network(encoder(copied.observables)))
        surprise = -np.log(softmax(scores)[np.arange(len(copied)), copied.codes])
        loss = float(_loop._loss(job.network, job.train, _loop.jax.random.key(0)))
        assert loss == pytest.approx(surprise.mean(), rel=1e-5)

    def test_first_step_is_adam_on_the_soft_target_gradient(self):
        # d/ds of −Σ_w t_w·log softmax(s)_w is (Σt)·softmax(s) − t; Adam's first step is −r·sign.
        inputs = np.array([[1.0, 2.0], [-1.0, 0.5], [0.25, -3.0]])
        targets = (self.gains + 1).T.astype(np.float32)
        task = problem(inputs, [0, 1, 2], targets)
        (after,) = _loop.train([task], silent)
        weight, bias = weights_of(task.network), np.asarray(task.network.layers[0].bias)
        slope = targets.sum(1, keepdims=True) * softmax(inputs @ weight + bias) - targets
        moved = weights_of(after) - weight
        assert moved == pytest.approx(-0.01 * np.sign(inputs.T @ slope), abs=1e-6)
        assert np.asarray(after.layers[0].bias) - bias == pytest.approx(
            -0.01 * np.sign(slope.sum(axis=0)), abs=1e-6
        )

    def test_a_weight_of_two_is_a_sample_twice(self):
        samples = blobs(60)
        weights = np.where(np.arange(60) < 20, 2.0, 1.0)
        doubled = samples.take(np.r_[np.arange(60), np.arange(20)])
        full = Neural(LINEAR, Training(40, batch=80, learning_rate=0.05, early_choice=False))
        weighted = full.fit(replace(samples, weights=weights), samples.bind("bayes"), rng=0)
        twice = full.fit(doubled, samples.bind("bayes"), rng=0)
        plain = full.fit(samples, samples.bind("bayes"), rng=0)
        points = seen([0, 10, 20, 30])
        assert weighted.posterior(points) == pytest.approx(twice.posterior(points), abs=1e-4)
        assert weighted.posterior(points) != pytest.approx(plain.posterior(points), abs=1e-3)


class TestLoop:
    def test_every_sample_is_used_once_in_each_epoch_across_parts(self):
        task = problem(np.zeros((7, 1)), [0, 1, 1, 0, 1, 0, 1], steps=140, rows=3)
        parts = zip(task.plan.parts, _loop._batches(task), strict=True)
        order = np.concatenate([batches[:steps].ravel() for steps, batches in parts])
        epochs = order.reshape(60, 7)  # 140 steps of 3
        assert (np.sort(epochs, axis=1) == np.arange(7)).all()
        assert len(np.unique(epochs, axis=0)) > 50

    def test_problems_trained_together_end_where_they_end_alone(self):
        rng = np.random.default_rng(3)
        shapes = [problem(rng.normal(size=(30, 2)), np.arange(30) % 3, rng=i) for i in (0, 1)]
        plan = Plan(steps=7, rows=10, learning_rate=0.01, schedule="cosine")

        def tasks():
            return [replace(task, plan=plan, rng=np.random.default_rng(9)) for task in shapes]

        *_, (together, _) = _loop._course(tasks())
        for one, other in zip(_loop.train(tasks(), silent), together, strict=True):
            assert weights_of(one) == pytest.approx(weights_of(other), abs=1e-5)

    def test_on_an_accelerator_like_shapes_are_trained_together(self, monkeypatch):
        tasks = [problem(np.eye(n), np.arange(n) % 2, steps=2) for n in (4, 5, 4)]
        assert _loop._batched(tasks) == [[0], [1], [2]]
        monkeypatch.setattr(_loop.jax, "default_backend", lambda: "gpu")
        assert _loop._batched(tasks) == [[0, 2], [1]]
        told = []
        trained = _loop.train(tasks, lambda done, total: told.append((done, total)))
        assert [network.layers[0].weight.shape for network in trained] == [(4, 2), (5, 2), (4, 2)]
        assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]  # two trainings of two steps

    def test_is_compiled_once_for_all_parts_and_for_every_fit_of_the_same_shapes(self, monkeypatch):
        traced = []
        loss = _loop._loss
        monkeypatch.setattr(_loop, "_loss", lambda *a: traced.append(1) or loss(*a))
        fit = Neural(LINEAR, QUICK).fit
        for seed in range(2):
            fit(blobs(399, rng=seed), blobs().bind("bayes"), rng=seed)
        assert len(traced) == 1

    @pytest.mark.parametrize("steps", [1, 5, 45])
    def test_takes_every_step_of_the_plan(self, steps):
        task = problem(np.eye(4), [0, 1, 2, 3], steps=steps)
        told = []
        _loop.train([task], lambda done, total: told.append((done, total)))
        assert told == [(done, steps) for done in np.cumsum(task.plan.parts)]
        assert told[-1] == (steps, steps)

    def test_a_loss_that_is_no_number_is_refused_with_the_way_out(self):
        shown = np.random.default_rng(0).normal(size=(20, 3))
        task = problem(shown, np.arange(20) % 2, network=Dense((3, 3)))
        task = replace(task, plan=Plan(20, 20, learning_rate=1e20, schedule="constant"))
        with pytest.raises(GleakError, match="lower learning rate, or scale the inputs"):
            _loop.train([task], silent)


class TestEarlyChoice:
    def test_keeps_what_does_best_on_samples_it_was_not_trained_on(self):
        # Inputs that single out every training sample say nothing about another one.
        rng = np.random.default_rng(0)
        inputs, new = rng.normal(size=(2, 200, 30)).astype(np.float32)
        codes, truth = rng.integers(0, 2, (2, 200)).astype(np.int32)
        held = _loop.Data(new, truth, np.ones(200, np.float32), None)
        late = problem(inputs, codes, network=Dense((20,)), steps=100)
        chosen, last = (_loop.train([task], silent)[0] for task in (replace(late, held=held), late))
        regret = [float(_loop._surprise(network(new), held)) for network in (chosen, last)]
        assert regret[0] < 0.75 < 0.95 < regret[1]

    def test_judges_a_network_at_its_best_temperature(self):
        # Right in nine of ten and sure by ln 9: calibrated. Scores twice as high ask for two.
        scores = np.log([[9.0, 1.0]]).repeat(10, axis=0).astype(np.float32)
        task = problem(scores, [0] * 9 + [1])
        for heat in (1.0, 2.0, 4.0):
            sure = task.network.tempered(1.0)
            layer = replace(sure.layers[0], weight=heat * np.eye(2), bias=np.zeros(2))
            network, loss = _loop._calibrated(replace(sure, layers=(layer,)), task.train)
            assert np.asarray(network(scores)) == pytest.approx(scores, abs=1e-5)
            assert float(loss) == pytest.approx(-0.9 * np.log(0.9) - 0.1 * np.log(0.1))

    def test_temperature_is_asked_of_the_last_scores_only(self):
        network = LeNet().build(64, 3, np.random.default_rng(0))
        batch = np.random.default_rng(1).normal(size=(2, 64)).astype(np.float32)
        halved = np.asarray(network.tempered(2.0)(batch))
        assert halved == pytest.approx(np.asarray(network(batch)) / 2, abs=1e-6)

    def test_the_mean_follows_the_weights(self):
        # Of a thousand equal steps the mean of the last fifty lags 49 behind: .98/(1-.98).
        start = _loop._start(problem(np.eye(2), [0, 1]))[0]
        slope = _loop.jax.tree.map(np.ones_like, start.network)
        step = _loop.jax.jit(lambda s: _loop._stepped(s, slope, 0.01, averaged=True))
        state = start
        for _ in range(1000):
            state = step(state)
        assert weights_of(state.network) == pytest.approx(weights_of(start.network) - 10, rel=1e-3)
        assert weights_of(state.mean) == pytest.approx(weights_of(state.network) + 0.49, abs=0.01)

    def test_groups_are_held_out_whole(self):
        samples = blobs(200, groups=np.arange(200) // 4)
        held = _held_out(samples, np.random.default_rng(0))
        assert held.reshape(50, 4).all(axis=1).sum() == held.sum() / 4 == 5

    def test_a_single_group_is_not_split(self):
        assert _held_out(blobs(200, groups=np.zeros(200)), np.random.default_rng(0)) is None


class TestNeural:
    def test_learns_the_posterior(self, samples):
        # P(x|y=10x) = .9 + .1/4, anything else .025.
        hidden = Neural(Dense((16,)), Training(steps=200, learning_rate=0.03))
        posterior = hidden.fit(blobs(4000), samples.bind("bayes"), rng=0).posterior(
            seen([0, 10, 20, 30])
        )
        assert posterior == pytest.approx(0.9 * np.eye(4) + 0.025, abs=0.03)

    def test_a_posterior_plays_another_gain(self, samples, strategy):
        pairs = strategy.under(samples.bind("tries:2")).guess(seen([0, 10, 20, 30]))
        assert pairs.shape == (4, 2)
        assert (pairs == np.arange(4)[:, None]).any(axis=1).all()

    def test_guesses_on_the_guess_route(self, samples):
        # A guess is worth 2 if right and -1 if wrong; passing earns 0 and is never best here.
        gains = np.vstack([3 * np.eye(4) - 1, np.zeros(4)])
        payoff = samples.bind(gain.matrix(gains, guesses=["a", "b", "c", "d", "pass"]))
        learned = Neural(Dense((16,)), QUICK, "guess").fit(samples, payoff, rng=0)
        assert learned.guess(seen([30, 0, 20, 10])).tolist() == [3, 0, 2, 1]

    def test_guesses_of_several_tries_are_rows_of_secrets(self, samples):
        payoff = samples.bind("tries:3")
        learned = Neural(Dense((16,)), QUICK, "guess").fit(samples, payoff, rng=0)
        guesses = learned.guess(samples.observables)
        assert guesses.shape == (400, 3)
        assert payoff.value(guesses, samples.codes).mean() > 0.9

    def test_one_seed_gives_one_network(self, samples, strategy):
        again = Neural(LINEAR, QUICK).fit(samples, samples.bind("bayes"), rng=0)
        other = Neural(LINEAR, QUICK).fit(samples, samples.bind("bayes"), rng=1)
        points = seen([0, 10, 20, 30])
        assert (again.posterior(points) == strategy.posterior(points)).all()
        assert (other.posterior(points) != strategy.posterior(points)).any()

    def test_many_are_each_as_alone(self, samples, strategy):
        both = Neural(LINEAR, QUICK).fit_many(
            [blobs(rng=5), samples], samples.bind("bayes"), [1, 0]
        )
        points = seen([0, 10, 20, 30])
        assert (both[1].posterior(points) == strategy.posterior(points)).all()

    def test_many_refuse_a_payoff_over_other_secrets(self, samples):
        with pytest.raises(InputError, match="bound to the samples' 4 secrets"):
            Neural().fit_many([samples], gain.bayes().bind([0, 1]), [0])

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (Neural("dense"), r"network of 'neural' must be as in Dense\(.*, got 'dense'"),
            (
                Neural(training={"steps": 3}),
                r"training of 'neural' must be as in Training\(.*, got",
            ),
        ],
    )
    def test_refuses_what_is_no_network_and_no_training(self, samples, wrong, message):
        with pytest.raises(InputError, match=message):
            wrong.fit(samples, samples.bind("bayes"))

    def test_what_was_learned_can_be_stored(self, samples, strategy):
        thawed = pickle.loads(pickle.dumps(strategy))
        assert (thawed.posterior(seen([3, 17])) == strategy.posterior(seen([3, 17]))).all()
        assert pickle.loads(pickle.dumps(Neural())) == Neural()

    def test_shows_progress(self, samples):
        told = []
        watched = Neural(LINEAR, QUICK, progress=lambda done, total: told.append((done, total)))
        watched.fit_many([samples, samples], samples.bind("bayes"), [0, 1])
        assert told[-1] == (120, 120)
        assert len(told) == 2 * len(watched.training.plan(360).parts)
        assert told == sorted(set(told))

    def test_leaves_jax_as_it_was(self, strategy):
        import jax

        assert not jax.config.jax_enable_x64
        assert strategy.network.layers[0].weight.dtype == np.float32

    def test_any_shape_of_data(self):
        # 200 columns of which one is constant and one categorical, 500 secrets of which one was
        # seen once and most never.
        rng = np.random.default_rng(0)
        columns = {f"c{i}": rng.normal(size=60) for i in range(198)}
        columns |= {
            "constant": np.full(60, 7),
            "kind": np.array(["a", "b", "c"])[np.arange(60) % 3],
        }
        observables = Observables.of(columns)
        codes = np.r_[499, np.arange(59) % 2]
        samples = Samples(codes, np.arange(500), observables)
        brief = Neural(Dense((4,)), Training(steps=2))
        posterior = brief.fit(samples, samples.bind("bayes"), rng=0).posterior(observables)
        assert posterior.shape == (60, 500)
        assert posterior.sum(axis=1) == pytest.approx(1.0)

    def test_paper_counts_copies(self):
        # Table of the paper's appendix: 700 epochs over 90,000 copies in batches of 1000.
        plan = Neural.paper(700, 1000).training.plan(10_000, copies_per_sample=9)
        assert (plan.steps, plan.rows) == (63_000, 111)
        assert (np.concatenate(plan.rates()) == np.float32(1e-3)).all()
        assert Neural.paper(700, 1000, hidden=(5,)).network == Dense((5,))


class TestTraining:
    def test_cosine_starts_at_the_rate_and_ends_near_nothing(self):
        rates = np.concatenate(Training(steps=100, learning_rate=0.1).plan(50).rates())
        assert rates[[0, 50]] == pytest.approx([0.1, 0.05])
        assert rates[-1] == pytest.approx(0.1 * (1 + np.cos(np.pi * 0.99)) / 2, rel=1e-4)

    @pytest.mark.parametrize("steps", [1, 7, 60, 3000])
    def test_parts_grow_and_hold_every_step(self, steps):
        parts = Training(steps=steps).plan(50).parts
        assert sum(parts) == steps
        assert min(parts) >= 1
        assert len(parts) <= 20
        assert steps < 400 or parts[-1] == pytest.approx(39 * parts[0], rel=0.1)

    def test_epochs_are_steps(self):
        assert Training(epochs=3, batch=100).plan(250).steps == 9

    def test_batches_are_no_larger_than_the_samples(self):
        assert Training(batch=100).plan(30).rows == 30

    @pytest.mark.parametrize(("n", "rows"), [(1, 1), (95, 10), (9_000, 900), (50_000, 1000)])
    def test_a_batch_is_a_tenth_of_the_samples_unless_they_are_many(self, n, rows):
        assert Training().plan(n).rows == rows

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"steps": 0}, "a training's steps must be a positive number, got 0"),
            ({"epochs": -1}, "a training's epochs must be a positive number, got -1"),
            ({"batch": 0}, "a training's batch must be a positive number, got 0"),
            ({"batch": "all"}, "a training's batch must be a positive number, got 'all'"),
            ({"steps": 2.5}, "a training's steps must be a whole number, got 2.5"),
            ({"learning_rate": np.nan}, "a training's learning_rate must be a positive number"),
            (
                {"schedule": "cosin"},
                "unknown schedule 'cosin' of a training; did you mean 'cosine'?",
            ),
        ],
    )
    def test_refusals(self, wrong, message):
        with pytest.raises(InputError) as refusal:
            Training(**wrong).plan(10)
        assert message in str(refusal.value)
