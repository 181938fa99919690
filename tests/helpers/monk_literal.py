"""Reference implementation of Algorithms 1 and 2 of paper 004, with the pooled Gram matrix and its Cholesky factors."""

import numpy as np


def pooled_gram(kernel, X, Y):
    """Return K (2N, 2N) of the rows of X, then of Y."""
    return kernel(np.vstack([X, Y]))


def sign_vector(rows, n):
    """Return [1_q; -1_q], shape (2N,)."""
    v = np.zeros(2 * n)
    v[rows], v[rows + n] = 1.0, -1.0
    return v


def median_at(values):
    """Return the position of the lower median, the first of equal ones."""
    return sorted(range(len(values)), key=lambda q: (values[q], q))[(len(values) - 1) // 2]


def literal_bcd(K, blocks, orders, norm=lambda L, v: np.linalg.norm(L.T @ v)):
    """Run Algorithm 1: return the lower median after each iteration, and the last witness's block means.

    orders (T, N).
    """
    n = len(K) // 2
    L, c, history = np.linalg.cholesky(K), np.zeros(2 * n), []
    for order in orders:
        parts = np.array_split(order, blocks)
        Kc = K @ c
        means = [sign_vector(S, n) @ Kc / len(S) for S in parts]
        v = sign_vector(parts[median_at(means)], n)
        c = v / norm(L, v)
        Kc = K @ c
        means = np.array([sign_vector(S, n) @ Kc / len(S) for S in parts])
        history.append(means[median_at(means)])
    return np.array(history), means


def literal_fast(K, blocks, orders, keep=False, norm=lambda L, v: np.linalg.norm(L.T @ v), shuffle=10):
    """Run Algorithm 2, with J every `shuffle`-th iteration.

    keep=False sets each witness to norm 1 on its block's new rows.
    """
    n, history, c = len(K) // 2, [], None
    for t, order in enumerate(orders):
        if t % shuffle == 0:
            parts = np.array_split(order, blocks)
            grams = [K[np.ix_(both, both)] for both in (np.append(S, S + n) for S in parts)]
            factors = [np.linalg.cholesky(G) for G in grams]
            ones = [np.repeat([1.0, -1.0], len(S)) for S in parts]
            c = [np.zeros(2 * len(S)) for S in parts] if c is None else c
            if not keep:
                c = [b / norm(L, b) if b.any() else b for b, L in zip(c, factors, strict=True)]
        means = [v @ G @ b / len(S) for v, G, b, S in zip(ones, grams, c, parts, strict=True)]
        q = median_at(means)
        c[q] = ones[q] / norm(factors[q], ones[q])
        means = np.array([v @ G @ b / len(S) for v, G, b, S in zip(ones, grams, c, parts, strict=True)])
        history.append(means[median_at(means)])
    return np.array(history), means


def sup_median_2d(Z):
    """Return sup over unit u of lower-med_q <u, z_q>, at least 0, for points Z (Q, 2), exactly.

    It is the distance from 0 to some majority's hull, so the best u points to a vertex or is perpendicular to an edge.
    """
    i, j = np.triu_indices(len(Z), 1)
    edges = (Z[i] - Z[j]) @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    U = np.concatenate([Z, edges, -edges])
    length = np.linalg.norm(U, axis=1)
    U = U[length > 0] / length[length > 0][:, None]
    return max(0.0, np.sort(U @ Z.T, axis=1)[:, (len(Z) - 1) // 2].max())
