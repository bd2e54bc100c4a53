"""Source of the helper functions of generated code for lists of numbers; `helpers` says what they keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["STATISTICS"]

STATISTICS = '''
def _numbers(values, key=None):
    """The numbers in a list, or of a property of its members; whatever is no number is left out."""
    return [number for number in _column(values, key) if _is_number(number)]


def _product_of(values, key=None):
    """The product of the numbers in a list; None when there are none or it is out of range."""
    numbers = _numbers(values, key)
    result = 1 if numbers else None
    for number in numbers:
        result = _multiply(result, number)
    return result


def _median(values, key=None):
    """The number in the middle of a list in order, or the mean of the two; None when there are none."""
    numbers = sorted(_numbers(values, key))
    if not numbers:
        return None
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else _divide(_add(numbers[middle - 1], numbers[middle]), 2)


def _mode(values, key=None):
    """The most frequent member of a list, the first of several; None when there is none."""
    members = [value for value in _column(values, key) if not isinstance(value, (list, dict))]
    return max(members, key=members.count) if 0 < len(members) <= 2000 else None


def _variance(values, sample=False):
    """The variance of the numbers in a list, of a population or of a sample; None when there are too few."""
    numbers = _numbers(values)
    if len(numbers) < (2 if sample else 1) or any(abs(number) > 1e140 for number in numbers):
        return None
    mean = math.fsum(numbers) / len(numbers)
    return _tidy(math.fsum((number - mean) ** 2 for number in numbers) / (len(numbers) - bool(sample)))


def _standard_deviation(values, sample=False):
    """The standard deviation of the numbers in a list, of a population or of a sample; None when there are too few."""
    return _root(_variance(values, sample))
'''
