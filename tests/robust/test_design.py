"""The implicit design against the dense matrix that it stands for."""

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from skmlogb.robust.design import Design

FORMS = {
    "c": np.ascontiguousarray,
    "fortran": np.asfortranarray,
    "csr_array": csr_array,
    "csr_matrix": csr_matrix,
}


@pytest.fixture(params=[np.float32, np.float64])
def dtype(request):
    return request.param


@pytest.fixture(params=FORMS)
def form(request):
    return FORMS[request.param]


def pair(rng, form, dtype, offset, constant):
    """A design and its dense twin in double precision."""
    X = (rng.standard_normal((12, 7)) * (rng.random((12, 7)) < 0.5)).astype(dtype)
    mean = X.mean(axis=0) if offset else None
    dense = X - mean if offset else X
    dense = np.column_stack([dense, np.full(12, 0.3)]) if constant else dense
    return Design(form(X), offset=mean, constant=0.3 if constant else None), dense.astype(float)


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("constant", [False, True])
def test_products(offset, constant, form, dtype, rng):
    design, dense = pair(rng, form, dtype, offset, constant)
    rtol = 100 * np.finfo(dtype).eps
    assert design.shape == dense.shape
    assert design.dtype == dtype
    rows, q = np.array([1, 4, 11, 4]), dense.shape[1]
    for trailing in ((), (5,)):
        coefs = rng.standard_normal((q, *trailing)).astype(dtype)
        values = rng.standard_normal((12, *trailing)).astype(dtype)
        for result, expected in [
            (design.matmul(coefs), dense @ coefs),
            (design.matmul(coefs, rows), dense[rows] @ coefs),
            (design.rmatmul(values), dense.T @ values),
            (design.rmatmul(values[:4], rows), dense[rows].T @ values[:4]),
            (design.rmatmul(values[:4], slice(3, 7)), dense[3:7].T @ values[:4]),
        ]:
            assert result.dtype == dtype
            assert result.shape == expected.shape
            np.testing.assert_allclose(result, expected, rtol=0, atol=rtol * np.abs(expected).max())


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("constant", [False, True])
def test_parts_and_forms(offset, constant, form, dtype, rng):
    design, dense = pair(rng, form, dtype, offset, constant)
    rtol = 100 * np.finfo(dtype).eps
    columns = np.array([0, 2, 6, 7] if constant else [0, 2, 6])
    for rows in (None, slice(2, 9), np.array([0, 3])):
        part = design.take(rows, columns).toarray()
        expected = dense[slice(None) if rows is None else rows][:, columns]
        np.testing.assert_allclose(part, expected, rtol=rtol, atol=rtol)
    slopes = rng.uniform(0, 1, (3, dense.shape[1])).astype(dtype)
    np.testing.assert_allclose(design.row_forms(slopes), slopes @ dense.T**2, rtol=10 * rtol)


def test_no_copy_where_none_is_needed(rng):
    X = rng.standard_normal((10, 4))
    design = Design(X)
    assert design.X is X
    assert np.shares_memory(design.take(slice(2, 5)).X, X)
    assert np.shares_memory(design.toarray(), X)


def test_a_timestamp_keeps_its_digits(rng):
    """A column of 1.7e9 plus seconds, centred implicitly, against the same centred beforehand."""
    X = np.column_stack([1.7e9 + rng.uniform(0, 1e6, 50), rng.standard_normal(50)])
    mean, coefs = X.mean(axis=0), np.array([1e-6, 1.0])
    for form in (np.asarray, csr_array):
        implicit = Design(form(X), offset=mean)
        np.testing.assert_allclose(implicit.matmul(coefs), (X - mean) @ coefs, rtol=1e-8, atol=1e-8)
        forms, expected = implicit.row_forms(np.ones((1, 2)))[0], ((X - mean) ** 2).sum(axis=1)
        np.testing.assert_allclose(forms, expected, rtol=0, atol=1e-8 * expected.max())
