"""The step back into the ball ||W||_F <= S, equation (9): Lemma 2 without an eigendecomposition."""

import math

import numpy as np
from scipy.linalg import lapack
from scipy.optimize import brentq

from .hessian import cholesky

_EPS = np.finfo(float).eps


def project_onto_ball(point, rest, bound, *, reg_lambda, inverse, hessian):
    """Return the vector of length `bound` nearest to a longer one in the norm of Z~, Lemma 2.

    The vector has coordinates `point` in the basis of Z~ - lambda I and a part of squared length `rest`
    outside it, where Z~ is lambda I. The solution is w(nu) = (Z~ + nu I)^-1 Z~ w' with ||w(nu)|| = `bound`.

    Parameters
    ----------
    point : array of shape (r,)
        Coordinates of w'.
    rest : float
        Squared length of the part of w' outside the basis.
    bound : float
        S.
    reg_lambda : float
        lambda.
    inverse : callable
        v -> Z~^-1 v in coordinates.
    hessian : callable
        () -> Z~ in coordinates, (r, r); called only where the series would be long.

    Returns
    -------
    point : array of shape (r,)
        Coordinates of the solution.
    shrink : float
        Factor lambda / (lambda + nu) on the part outside the basis.
    """
    squared = point.dot(point) + rest
    first = inverse(point)
    # Newton's step on 1/||w(nu)|| - 1/S from nu = 0: never beyond the root (Moré and Sorensen 1983).
    slope = point.dot(first) + rest / reg_lambda
    excess = math.sqrt(squared) / bound - 1
    nu = excess * squared / slope if slope > 1e-150 * squared else 0.0  # where rounding has not eaten it
    if 0 < nu < 0.1 * reg_lambda:
        result = _by_series(point, rest, bound, nu / reg_lambda, reg_lambda, first, inverse)
        if result is not None:
            return result
    return _by_factors(point, rest, bound, nu, reg_lambda, hessian())


def _by_series(point, rest, bound, start, reg_lambda, first, inverse):
    """Solve with w(nu) = (1 - q) sum over k of q^k v_k, where v_k = (I - lambda Z~^-1)^k w'.

    Here q = nu / (lambda + nu). Only v_0 has a part outside the basis. The squared length is (1 - q)^2 times
    the sum over n of (n + 1) q^n m_n with the moments m_n = v_0'v_n. The v_k do not grow, so the series ends
    where a term falls below rounding, soon where lambda is large beside C. None where the root is too large
    for it.
    """
    largest = 1.05 * start / (1 + start)
    terms = [point]
    negligible = _EPS * math.sqrt(point.dot(point) + rest)
    term, weight = point - reg_lambda * first, largest
    for _ in range(20):
        terms.append(term)
        weight *= largest
        if (len(terms) + 1) * weight * math.sqrt(term.dot(term)) <= negligible:
            break
        term = term - reg_lambda * inverse(term)
    else:
        return None
    matrix = np.array(terms)
    moments = matrix.dot(point).tolist()
    moments[0] += rest
    coefficients = [(n + 1) * moment for n, moment in enumerate(moments)]
    coefficients.reverse()
    q = start / (1 + start)
    for _ in range(20):
        value = slope = 0.0
        for coefficient in coefficients:  # Horner's scheme
            slope = value + q * slope
            value = coefficient + q * value
        if value <= 0:
            return None
        # The length is (1 - q) sqrt(value); Newton on 1/length - 1/S
        change = ((1 - q) * math.sqrt(value) / bound - 1) / (1 / (1 - q) - slope / (2 * value))
        q += change
        if q > largest:
            return None
        if abs(change) <= 1e-9 * q:  # Newton doubles the digits: they are all there now
            break
    powers = [(1 - q) * q**k for k in range(len(terms))]
    return np.dot(powers, matrix), 1 - q


def _by_factors(point, rest, bound, nu, reg_lambda, hessian):
    """Solve by Newton's method of Moré and Sorensen, one Cholesky factor an iteration, within a bracket."""
    low, high = 0.0, math.inf
    size, image = hessian.trace(), hessian @ point
    rounding = (16 * _EPS) ** 2 * (point @ point)
    nu = min(nu, size * math.sqrt(point @ point + rest) / bound)  # no root is beyond
    for _ in range(200):
        factor, raised = cholesky(hessian, nu)
        if raised:
            hessian = hessian + raised * np.eye(len(hessian))
        shrink = reg_lambda / (reg_lambda + nu)
        # (Z~ + nu)^-1 Z~ w' = w' - nu (Z~ + nu)^-1 w', whichever of the two cancels less.
        if nu > size:
            result = lapack.dpotrs(factor, image, lower=True)[0]
        else:
            result = point - nu * lapack.dpotrs(factor, point, lower=True)[0]
        squared = result @ result + rest * shrink**2
        half = lapack.dtrtrs(factor, result, lower=True)[0]
        slope = half @ half + rest * shrink**2 / (reg_lambda + nu)
        if slope == 0 or (nu <= size and squared <= rounding):
            return _by_eigenvalues(point, rest, bound, reg_lambda, hessian)
        step = (math.sqrt(squared) / bound - 1) * squared / slope
        if abs(step) <= 4 * _EPS * nu:
            break
        low, high = (nu, high) if step > 0 else (low, nu)
        # Newton's steps from below never pass the root, save by rounding.
        nu = nu + step if low < nu + step < high else (low + high) / 2
    else:
        return _by_eigenvalues(point, rest, bound, reg_lambda, hessian)
    scale = bound / math.sqrt(squared)  # 1 to rounding, unless lambda and nu are below the rounding of C
    return scale * result, scale * shrink


def _by_eigenvalues(point, rest, bound, reg_lambda, hessian):
    """Solve where (Z~ + nu I)^-1 Z~ w' cancels altogether: w' lies in directions beyond the digits of C.

    What is below lambda in Z~ can only be rounding and counts as lambda.
    """
    values, vectors = np.linalg.eigh(hessian)
    values, coordinates, outside = np.maximum(values, reg_lambda), vectors.T @ point, math.sqrt(rest)
    length = math.hypot(*coordinates, outside)
    excess = length / bound - 1
    if excess <= 16 * _EPS:  # outside the ball by no more than rounding
        return point / (1 + excess), 1 / (1 + excess)

    def part(log_nu):
        nu = math.exp(log_nu)
        inside, shrink = values / (values + nu) * coordinates, reg_lambda / (reg_lambda + nu)
        return inside, shrink, math.hypot(*inside, shrink * outside)  # whose squares may underflow

    # The least and the largest eigenvalue alone would need these nu.
    low, high = (math.log(value * excess) for value in (reg_lambda, values[-1]))
    log_nu = brentq(lambda log_nu: math.log(part(log_nu)[2] / bound), low - 1, high + 1)
    inside, shrink, found = part(log_nu)
    return vectors @ inside * (bound / found), shrink * (bound / found)
