from types import SimpleNamespace

import numpy as np
import pytest
from dense import laplacian
from hypothesis import given, settings
from hypothesis import strategies as st

from edo.rating.fit import laplacian as module
from edo.rating.fit.cholesky import Cholesky, UnknownLayout
from edo.rating.fit.laplacian import Laplacian, dissection
from edo.rating.fit.selected_inverse import selected_inverse


def grid(side):
    """The links i < j of a square grid of side x side items."""
    at = np.arange(side * side).reshape(side, side)
    i = np.r_[at[:, :-1].ravel(), at[:-1].ravel()]
    j = np.r_[at[:, 1:].ravel(), at[1:].ravel()]
    return side * side, i, j


def random_links(n, extra, seed):
    """A random tree of n items and about `extra` more links, i < j, all distinct, weighted."""
    rng = np.random.default_rng(seed)
    tree = np.array([(rng.integers(k), k) for k in range(1, n)]).reshape(-1, 2)
    more = np.sort(rng.integers(n, size=(extra, 2)), axis=1)
    pairs = np.unique(np.vstack([tree, more[more[:, 0] < more[:, 1]]]), axis=0)
    return pairs[:, 0], pairs[:, 1], rng.uniform(0.1, 10, len(pairs))


def dense_and_factor(n, i, j, weights):
    """A Laplacian with 1 added to its diagonal, dense and factorised."""
    dense = laplacian(n, i, j, weights) + np.eye(n)
    cholesky = Cholesky(n, j, i)
    cholesky.factorise(dense.diagonal(), -weights)
    return dense, cholesky


def places(lower):
    """The rows and columns of the entries in the panels."""
    nodes = lower.supernodes
    every = [nodes.rows[a:b] for a, b in zip(nodes.start[:-1], nodes.start[1:], strict=True)]
    rows = np.concatenate([np.tile(r, w) for r, w in zip(every, nodes.widths, strict=True)])
    return rows, np.repeat(np.arange(nodes.first[-1]), nodes.heights[nodes.of_columns()])


def dense_lower(lower):
    n = len(lower.permutation)
    dense = np.zeros((n, n))
    dense[places(lower)] = lower.values
    return dense


def test_a_matrix_of_two_by_hand():
    cholesky = Cholesky(2, np.array([1]), np.array([0]))
    cholesky.factorise(np.array([2.0, 2.0]), np.array([-1.0]))
    assert cholesky.solve(np.array([3.0, 0.0])) == pytest.approx([2.0, 1.0], abs=1e-14)
    inverse = selected_inverse(cholesky.lower())
    assert inverse.diagonal() == pytest.approx([2 / 3, 2 / 3], abs=1e-15)
    assert inverse.known_entries(np.array([0]), np.array([1])) == pytest.approx([1 / 3], abs=1e-15)


def test_a_matrix_of_one():
    cholesky = Cholesky(1, np.array([], np.int64), np.array([], np.int64))
    cholesky.factorise(np.array([4.0]), np.array([]))
    assert selected_inverse(cholesky.lower()).diagonal() == pytest.approx([0.25], abs=1e-16)


def test_factor_and_permutation_reproduce_the_matrix():
    n, i, j = grid(12)
    dense, cholesky = dense_and_factor(n, i, j, np.linspace(1, 2, len(i)))
    lower = cholesky.lower()
    assert sorted(lower.permutation) == list(range(n))
    assert list(lower.permutation) != list(range(n))
    factor, p = dense_lower(lower), lower.permutation
    assert np.abs(factor @ factor.T - dense[p][:, p]).max() < 1e-13
    assert not np.triu(factor, 1).any()


def test_new_values_replace_the_old():
    i, j, weights = random_links(60, 90, 1)
    _, cholesky = dense_and_factor(60, i, j, weights)
    dense = laplacian(60, i, j, weights**2) + np.eye(60)
    cholesky.factorise(dense.diagonal(), -(weights**2))
    right = np.arange(60.0)
    assert np.abs(dense @ cholesky.solve(right) - right).max() < 1e-10


def test_solves_keep_the_shape_and_do_not_change_the_right_side():
    i, j, weights = random_links(30, 20, 2)
    dense, cholesky = dense_and_factor(30, i, j, weights)
    right = np.random.default_rng(0).normal(size=(30, 4))
    before = right.copy()
    x = cholesky.solve(right)
    assert x.shape == (30, 4)
    assert np.abs(dense @ x - before).max() < 1e-12
    assert np.array_equal(right, before)
    assert np.abs(cholesky.solve(right[:, 2]) - x[:, 2]).max() < 1e-14


def test_solving_works_after_the_factor_was_read():
    i, j, weights = random_links(30, 20, 3)
    _, cholesky = dense_and_factor(30, i, j, weights)
    right = np.arange(30.0)
    before = cholesky.solve(right)
    first, second = cholesky.lower(), cholesky.lower()
    assert np.array_equal(first.values, second.values)
    assert np.array_equal(cholesky.solve(right), before)


def test_a_factor_that_was_read_outlives_its_matrix_and_cannot_be_changed():
    n, i, j = grid(30)
    lowers = [dense_and_factor(n, i, j, np.full(len(i), 1.0 + k))[1].lower() for k in range(9)]
    for k, lower in enumerate(lowers):
        _, cholesky = dense_and_factor(n, i, j, np.full(len(i), 1.0 + k))
        assert np.array_equal(lower.values, cholesky.lower().values)
        with pytest.raises(ValueError, match="read-only"):
            lower.values[0] = 1.0


def test_entries_above_the_diagonal_are_refused():
    with pytest.raises(ValueError, match="each row > column"):
        Cholesky(3, np.array([0]), np.array([1]))


def test_an_indefinite_matrix_is_refused():
    cholesky = Cholesky(2, np.array([1]), np.array([0]))
    with pytest.raises(ArithmeticError):
        cholesky.factorise(np.array([1.0, 1.0]), np.array([2.0]))


def test_supernodes_cover_every_column_once_with_its_rows():
    n, i, j = grid(15)
    _, cholesky = dense_and_factor(n, i, j, np.ones(len(i)))
    lower = cholesky.lower()
    supernodes = lower.supernodes
    assert supernodes.widths.sum() == n
    assert supernodes.widths.max() > 5
    full = dense_lower(lower) != 0
    for column, s in enumerate(supernodes.of_columns()):
        rows = supernodes.rows[supernodes.start[s] : supernodes.start[s + 1]]
        own = rows[column - supernodes.first[s] :]
        assert own[0] == column
        assert (np.diff(own) > 0).all()
        assert set(np.flatnonzero(full[:, column])) <= set(own)


def test_the_selected_inverse_agrees_with_the_dense_one():
    n, i, j = grid(20)
    dense, cholesky = dense_and_factor(n, i, j, np.linspace(0.5, 3, len(i)))
    inverse, lower = np.linalg.inv(dense), cholesky.lower()
    selected = selected_inverse(lower)
    assert np.abs(selected.diagonal() - inverse.diagonal()).max() < 1e-13
    rows, columns = (lower.permutation[part] for part in places(lower))
    assert len(rows) > len(i) + n, "the factor has fill-in"
    assert np.abs(selected.known_entries(rows, columns) - inverse[rows, columns]).max() < 1e-13
    assert np.abs(selected.known_entries(columns, rows) - inverse[rows, columns]).max() < 1e-13


def test_the_determinant_agrees_with_the_dense_one():
    n, i, j = grid(12)
    dense, cholesky = dense_and_factor(n, i, j, np.linspace(0.5, 3, len(i)))
    expected = np.linalg.slogdet(dense)[1]
    assert cholesky.log_determinant() == pytest.approx(expected, rel=1e-13)
    lower = cholesky.lower()
    assert cholesky.log_determinant() == pytest.approx(expected, rel=1e-13)
    assert 2 * np.log(dense_lower(lower).diagonal()).sum() == pytest.approx(expected, rel=1e-13)


def grounded(n, i, j, weights, time):
    """The tree of a graph over times, the numbers of its items, and the dense grounded inverse."""
    order = dissection(i, j, time)
    assert sorted(order.tolist()) == list(range(n))
    ordered = Laplacian(n, i, j, ground=int(order[-1]), order=order)
    ordered.factorise(weights)
    inner = np.ix_(order[:-1], order[:-1])
    dense = np.zeros((n, n))
    dense[inner] = np.linalg.inv(laplacian(n, i, j, weights)[inner])
    return *ordered.tree(), dense


@pytest.mark.parametrize("seed", range(3))
def test_parts_of_the_inverse_agree_with_the_dense_one(seed, monkeypatch):
    monkeypatch.setattr(module, "LEAF", 20)
    rng = np.random.default_rng(seed)
    time = np.sort(rng.integers(0, 12, 150))
    tree, number, dense = grounded(150, *random_links(150, 150, seed), time)
    items = np.argsort(number)[1:][np.sort(rng.permutation(149)[:40])]
    own = dense[np.ix_(items, items)]
    np.testing.assert_allclose(tree.covariance(number[items]), own, rtol=1e-9, atol=1e-12)
    inner = np.flatnonzero(number >= 0)
    columns = tree.columns(number[items])[number[inner]]
    single = 1e-6 * np.abs(dense).max()
    np.testing.assert_allclose(columns, dense[np.ix_(inner, items)], rtol=0, atol=single)


@pytest.mark.parametrize("part", ["n", "nsuper", "super", "pi", "ssize", "s", "xsize"])
def test_a_factor_in_an_unknown_layout_is_refused(part, monkeypatch):
    n, i, j = grid(5)
    _, cholesky = dense_and_factor(n, i, j, np.ones(len(i)))
    cholesky.lower()
    array, structure = cholesky._array, cholesky._structure()
    if part in ("super", "pi", "s"):
        monkeypatch.setattr(
            Cholesky, "_array",
            lambda self, name, *more: array(name, *more)[::-1 if name == part else 1],
        )  # fmt: skip
    else:
        wrong = {name: getattr(structure, name) for name, _ in structure._fields_} | {part: 10**6}
        monkeypatch.setattr(Cholesky, "_structure", lambda self: SimpleNamespace(**wrong))
        if part == "n":
            monkeypatch.undo()
            cholesky._matrix = cholesky._matrix[:-1, :-1]
    with pytest.raises(UnknownLayout, match=rf"`{part}`.*constraints\.txt"):
        cholesky.lower()


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.integers(2, 60), st.integers(0, 150), st.integers(0, 10**6))
def test_the_pseudo_inverse_of_any_graph_agrees_with_the_dense_one(n, extra, seed):
    i, j, weights = random_links(n, extra, seed)
    graph = Laplacian(n, i, j, ground=seed % n)
    graph.factorise(weights)
    dense = np.linalg.pinv(laplacian(n, i, j, weights), hermitian=True)
    scale = dense.diagonal().max()
    assert np.abs(graph.inverse_diagonal() - dense.diagonal()).max() < 1e-10 * scale
    assert np.abs(graph.solve(np.eye(n)) - dense).max() < 1e-10 * scale


def test_a_star_by_hand():
    """Leaves of weight 1 around a centre: the pseudo-inverse of a star of n items is known."""
    n = 8
    for ground in (0, 3):
        star = Laplacian(n, np.zeros(n - 1, np.int64), np.arange(1, n), ground)
        star.factorise(np.ones(n - 1))
        diagonal = star.inverse_diagonal()
        assert diagonal[0] == pytest.approx((n - 1) / n**2, abs=1e-14)
        assert diagonal[1:] == pytest.approx(np.full(n - 1, 1 - 1 / n - 1 / n**2), abs=1e-14)


def test_the_inverse_follows_the_weights():
    i, j, weights = random_links(8, 6, 1)
    links = Laplacian(8, i, j, ground=3)
    for factor in (1.0, 4.0):  # what is kept of the first must not answer for the second
        links.factorise(factor * weights)
        dense = np.linalg.pinv(laplacian(8, i, j, factor * weights), hermitian=True)
        assert links.inverse_diagonal() == pytest.approx(dense.diagonal(), rel=1e-10)
        assert links.inverse_diagonal() == pytest.approx(dense.diagonal(), rel=1e-10)
