"""Outcomes: their labels, their rewards, and which of them is the reference."""

import warnings
from collections.abc import Iterable, Mapping, Set
from numbers import Real

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from .._validation import check_number

# Larger rewards would overflow in the squares of an optimistic reward.
_LARGEST = 1e100


class Outcomes:
    """The K + 1 outcomes of a problem; inside, 0 is the reference and 1..K the others in sorted order.

    Parameters
    ----------
    classes : array of shape (K + 1,)
        Labels, sorted.
    rewards : array of shape (K + 1,)
        Their rewards.
    """

    def __init__(self, classes, rewards):
        self.classes = classes
        self.rewards = rewards
        self.reference = int(np.argmin(rewards))
        self.gains = np.delete(rewards, self.reference) - rewards[self.reference]
        labels = classes.tolist()
        labels.insert(0, labels.pop(self.reference))
        self.number_of = {label: number for number, label in enumerate(labels)}

    def __getstate__(self):
        # The rest follows from these; and file formats other than pickle mistake the labels of `number_of`.
        return {"classes": self.classes, "rewards": self.rewards}

    def __setstate__(self, state):
        vars(self).update(vars(Outcomes(**state)))

    def encode(self, y):
        """Return the numbers 0..K of an array of labels.

        Raises
        ------
        ValueError
            If a label is unknown.
        """
        labels = y.tolist()
        try:
            return [self.number_of[label] for label in labels]
        except (KeyError, TypeError):
            unknown = [label for label in labels if not _is_key(label, self.number_of)]
            raise ValueError(
                f"y has the unknown outcome {unknown[0]!r}; known are {list(self.classes.tolist())!r}. "
                "Name every outcome in `rewards` or in `classes` of the first call."
            ) from None


def resolve_outcomes(rewards, y=None, classes=None, *, refuse_single=False):
    """Find labels and rewards from the parameter `rewards` and what is known of the labels.

    Parameters
    ----------
    rewards : None, mapping or sequence
        The policy's parameter.
    y : array of shape (n,), default=None
        The first outcomes, if there are any.
    classes : sequence, default=None
        The labels, if the user gave them.
    refuse_single : bool, default=False
        Whether outcomes of a single label are refused where `rewards` is None; otherwise the labels are then
        those of a policy without data, 0 and 1, if `y` fits.

    Returns
    -------
    outcomes : Outcomes

    Raises
    ------
    ValueError, TypeError
        If they do not fit; the message says what was found.

    Warns
    -----
    UserWarning
        If a sequence is matched to labels that are not numbers, whose sorted order may not be the one meant.
    """
    if classes is not None:
        classes = label_array(classes, "classes")
        if len(np.unique(classes)) < len(classes):
            raise ValueError(f"classes must be distinct; got {classes.tolist()!r}.")
    if hasattr(rewards, "to_dict"):  # a pandas Series is a mapping too
        rewards = rewards.to_dict()
    if isinstance(rewards, Mapping):
        labels, values = label_array(list(rewards), "rewards"), list(rewards.values())
        strangers = [] if classes is None else [c for c in classes.tolist() if not _is_key(c, rewards)]
        if strangers:
            raise ValueError(f"classes has {strangers!r}, which rewards does not name: {list(rewards)!r}.")
    else:
        if y is not None and classes is None:
            check_classification_targets(label_array(y, "y"))
        n_rewards = None if rewards is None else _length(rewards)
        labels = classes if classes is not None else _labels_of(y, n_rewards, refuse_single)
        if rewards is None:
            labels = np.sort(labels)
        values = np.linspace(0, 1, len(labels)).tolist() if rewards is None else list(rewards)
        if rewards is not None and classes is None and labels.dtype.kind not in "biuf":
            warnings.warn(
                f"rewards go to the sorted labels: {dict(zip(labels.tolist(), values))!r}. Pass a mapping"
                " from label to reward, or `classes`, to say which is whose.",
                UserWarning,
                stacklevel=4,
            )
    order = np.argsort(labels, kind="stable")
    return Outcomes(labels[order], _check_values(values, len(labels))[order])


def _labels_of(y, n_rewards, refuse_single):
    """Return the labels that `y` tells of, in the order of the rewards."""
    expected = np.arange(2 if n_rewards is None else n_rewards)
    if y is None:
        return expected
    labels = np.unique(label_array(y, "y"))
    if len(labels) == n_rewards or (n_rewards is None and len(labels) > 1):
        return labels
    if np.isin(labels, expected).all() and not (n_rewards is None and refuse_single):
        return np.array([False, True]) if labels.dtype == bool and len(expected) == 2 else expected
    found = f"{len(labels)} class{'es' if len(labels) > 1 else ''}: {labels.tolist()!r}"
    if n_rewards is None:
        raise ValueError(
            f"y must have at least two classes; got {found}. Pass `rewards` as a mapping, or `classes`."
        )
    raise ValueError(
        f"rewards has {n_rewards} entries but y has {found}, neither {n_rewards} of them nor all in "
        f"0..{n_rewards - 1}. Pass `rewards` as a mapping from label to reward, or `classes`."
    )


def label_array(labels, name):
    """Return labels as a 1-d array that can be sorted, without changing their type.

    Raises
    ------
    ValueError
        If they cannot be hashed or sorted.
    """
    if not isinstance(labels, np.ndarray):
        if isinstance(labels, (str, bytes, Set)) or not isinstance(labels, Iterable):
            raise TypeError(f"{name} must be a sequence of labels; got {labels!r}.")
        labels = list(labels)
        kinds = {bool if isinstance(label, (bool, np.bool_)) else type(label) for label in labels}
        if len(kinds) == 1 or all(issubclass(kind, Real) and kind is not bool for kind in kinds):
            plain = np.asarray(labels)
        else:
            plain = np.empty(0)
        if plain.shape != (len(labels),) or plain.tolist() != labels:  # NumPy rounds and strips some
            plain = np.empty(len(labels), dtype=object)
            for position, label in enumerate(labels):
                plain[position] = label
        labels = plain
    if labels.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; got shape {labels.shape}.")
    try:
        np.sort(labels)
        set(labels.tolist())
        usable = all(label == label for label in labels.tolist())
    except TypeError:
        usable = False
    if not usable:
        raise ValueError(
            f"{name} must have labels that can be hashed and sorted, none NaN; got {labels.tolist()!r}."
        )
    return labels


def _check_values(values, n_classes):
    """Return the rewards as an array of floats, or raise."""
    if len(values) != n_classes:
        raise ValueError(
            f"rewards must have one entry for each of the {n_classes} classes; got {len(values)} entries."
        )
    for value in values:
        if not isinstance(value, (bool, np.bool_)):
            check_number(value, "rewards, each entry", low=-_LARGEST, high=_LARGEST)
    array = np.array([float(value) for value in values])
    if len(array) < 2 or np.ptp(array) == 0:
        raise ValueError(f"rewards must differ between at least two classes; got {array.tolist()!r}.")
    return array


def _length(rewards):
    is_sequence = hasattr(rewards, "__getitem__") and not isinstance(rewards, (str, bytes))
    if not is_sequence or getattr(rewards, "ndim", 1) != 1:
        raise TypeError(
            f"rewards must be None, a mapping from label to reward or a sequence of rewards; got {rewards!r}."
        )
    return len(rewards)


def _is_key(label, mapping):
    try:
        return label in mapping
    except TypeError:  # not hashable
        return False
