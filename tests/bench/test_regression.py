"""The two learners without a training loop."""

import numpy as np
import pytest

from bench.regression import nearest, neighbour, ridge


@pytest.fixture
def rng():
    return np.random.default_rng(2)


def test_ridge_is_least_squares_where_nothing_is_penalised(rng):
    X = rng.normal(size=(50, 4)) + 3
    y = X @ [1.0, -2.0, 0.5, 0.0] + 7 + rng.normal(0, 0.1, 50)
    line = np.linalg.lstsq(np.column_stack([X, np.ones(50)]), y)[0]
    Z = rng.normal(size=(5, 4))
    np.testing.assert_allclose(ridge(X, y, penalty=0.0)(Z), np.column_stack([Z, np.ones(5)]) @ line, atol=1e-9)


def test_ridge_minimises_what_it_says(rng):
    X, y, penalty = rng.normal(size=(30, 3)), rng.normal(size=30), 2.5
    # The same problem as least squares with three more rows, on centred data.
    rows = np.vstack([X - X.mean(axis=0), np.sqrt(penalty) * np.eye(3)])
    slope = np.linalg.lstsq(rows, np.concatenate([y - y.mean(), np.zeros(3)]))[0]
    np.testing.assert_allclose(ridge(X, y, penalty)(X), (X - X.mean(axis=0)) @ slope + y.mean(), atol=1e-9)


def test_several_outputs_at_once(rng):
    X, y, Z = rng.normal(size=(30, 3)), rng.normal(size=(30, 2)), rng.normal(size=(4, 3))
    for learn in (ridge, nearest):
        both = np.column_stack([learn(X, y[:, 0])(Z), learn(X, y[:, 1])(Z)])
        np.testing.assert_allclose(learn(X, y)(Z), both)


def test_the_nearest_neighbour_by_measuring_every_distance(rng):
    X, Z = rng.normal(size=(40, 6)), rng.normal(size=(15, 6))
    expected = [min(range(40), key=lambda i: float(np.linalg.norm(X[i] - z))) for z in Z]
    assert neighbour(X, Z).tolist() == expected
    y = rng.normal(size=40)
    np.testing.assert_array_equal(nearest(X, y)(Z), y[expected])
