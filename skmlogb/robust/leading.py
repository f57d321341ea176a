"""A penalty as it acts where the intercept is one more coordinate."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .penalties import ProxJacobian


@dataclass(frozen=True)
class LeadingPenalty:
    """A penalty on the first coordinates only; the rest (the intercept's) move freely.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import L1
    >>> from skmlogb.robust.leading import LeadingPenalty
    >>> LeadingPenalty(L1(alpha=1.0), 1).prox(np.array([3.0, 3.0]), 1.0)
    array([2., 3.])
    """

    penalty: Any
    n_penalised: int

    def value(self, coef):
        """Return the penalty of the leading coefficients."""
        return self.penalty.value(coef[: self.n_penalised])

    def prox(self, v, step):
        """Return v with the penalty's prox applied to the leading coordinates."""
        return np.concatenate([self.penalty.prox(v[: self.n_penalised], step), v[self.n_penalised :]])

    def prox_jacobian(self, v, step):
        """Return the Jacobian of `prox` at v."""
        jacobian = self.penalty.prox_jacobian(v[: self.n_penalised], step)
        slope, factor = np.ones_like(v), jacobian.factor
        slope[: self.n_penalised] = jacobian.slope
        if factor is not None:
            factor = factor.copy()
            factor.resize((len(v), factor.shape[1]))
        return ProxJacobian(slope, factor)

    def max_step(self):
        """Return the penalty's bound on steps."""
        return self.penalty.max_step()


def penalty_on(design, penalty):
    """Return the penalty as it acts on coefficients of the design, intercept coordinate left alone.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import L1
    >>> from skmlogb.robust.design import Design
    >>> from skmlogb.robust.leading import penalty_on
    >>> penalty_on(Design(np.eye(2), constant=1.0), L1(alpha=1.0)).n_penalised
    2
    """
    if penalty is None or design.constant is None:
        return penalty
    return LeadingPenalty(penalty, design.n_features)
