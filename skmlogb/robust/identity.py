"""Is this the same data? Told without keeping the data."""

from hashlib import blake2b

import numpy as np
from scipy.sparse import issparse

_N_FORMS = 8


def fingerprint(X):
    """Return a few numbers that another matrix will not share: random bilinear forms of X.

    Unlike a hash of the bytes they survive rounding: a transformer's `transform` after `fit_transform`, C or
    Fortran order, dense or sparse.

    Parameters
    ----------
    X : ndarray or CSR of shape (n, p)
        Features.

    Returns
    -------
    forms : ndarray of shape (11,)
        The shape of X, its forms relative to its size, and its size.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.identity import fingerprint, same_fingerprint
    >>> X = np.arange(6.0).reshape(3, 2)
    >>> same_fingerprint(fingerprint(X), fingerprint(X + 1e-15))
    True
    >>> same_fingerprint(fingerprint(X), fingerprint(X[::-1]))
    False
    """
    rng = np.random.default_rng(0)
    with np.errstate(over="ignore", invalid="ignore"):
        projected = X @ rng.standard_normal(X.shape[1])
        size = np.abs(projected).max()
        forms = rng.standard_normal((_N_FORMS, X.shape[0])) @ (projected / (size or 1.0))
    return np.array([*X.shape, *forms / np.sqrt(X.shape[0]), size])


def same_fingerprint(one, other, dtype=np.float64):
    """Return whether two fingerprints are those of one matrix, up to rounding in this dtype."""
    return np.allclose(one, other, rtol=np.sqrt(np.finfo(dtype).eps), atol=np.sqrt(np.finfo(dtype).eps))


def row_marks(X, y):
    """Return a number for each row of the data that another row will hardly share, (n,).

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.identity import row_marks, share_known
    >>> X, y = np.eye(4), np.arange(4.0)
    >>> share_known(row_marks(X, y), row_marks(X[2:], y[2:]))
    0.5
    """
    rng = np.random.default_rng(0)
    with np.errstate(over="ignore", invalid="ignore"):
        return X @ rng.standard_normal(X.shape[1]) + y * rng.standard_normal()


def share_known(marks, known):
    """Return the share of rows whose marks are among known ones, up to rounding."""
    known = np.sort(known)
    after = np.searchsorted(known, marks).clip(1, len(known) - 1) if len(known) > 1 else np.zeros(1, int)
    distance = np.minimum(np.abs(marks - known[after]), np.abs(marks - known[after - 1]))
    return float(np.mean(distance <= 1e-12 * np.abs(known).max()))


def row_keys(X, y):
    """Return one key a row; equal rows with equal targets, and only they, have equal keys.

    Parameters
    ----------
    X : ndarray or CSR of shape (n, p)
        Features.
    y : ndarray of shape (n,)
        Targets.

    Returns
    -------
    keys : list of str
        Digests, 32 hexadecimal digits: keys that every file format can hold.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.identity import row_keys
    >>> first, second, third = row_keys(np.array([[0.0], [-0.0], [1.0]]), np.zeros(3))
    >>> first == second, first == third
    (True, False)
    """
    if issparse(X):
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
        parts = (
            X.indices[a:b].astype(np.int64).tobytes() + X.data[a:b].tobytes()
            for a, b in zip(X.indptr[:-1], X.indptr[1:])
        )
    else:
        parts = (row.tobytes() for row in X + 0.0)  # + 0.0 makes -0.0 a 0.0
    return [
        blake2b(part + target.tobytes(), digest_size=16).hexdigest() for part, target in zip(parts, y + 0.0)
    ]
