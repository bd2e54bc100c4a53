"""Source of the helper functions of generated code for mathematics; `helpers` says what they keep.

A result that is not real, not defined or out of range is None; arithmetic expressions are read without recursion.
Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["MATHEMATICS"]

MATHEMATICS = '''
def _tidy(number):
    """A result with twelve significant digits; None when it is out of range or no number."""
    return float(f"{number:.12g}") if abs(number) <= 1e300 else None


def _logarithm(value, base=None):
    """The logarithm to a base, the natural one without; None where it is not defined."""
    if not _is_number(value) or value <= 0:
        return None
    if base is None:
        return _tidy(math.log(value))
    if not _is_number(base) or base <= 0 or base == 1:
        return None
    exact = {10: math.log10, 2: math.log2}.get(base)
    return _tidy(exact(value) if exact else math.log(value) / math.log(base))


def _root(value, degree=2):
    """The real root of a degree, the square root without; None where there is none."""
    if not _is_number(value) or not _is_number(degree) or degree == 0:
        return None
    odd = value < 0 and degree % 2 == 1
    if value < 0 and not odd or value == 0 and degree < 0:
        return None
    try:
        result = math.sqrt(value) if degree == 2 else abs(value) ** (1 / degree)
    except OverflowError:
        return None
    return _tidy(-result if odd else result)


def _factorial(value):
    """The factorial of a whole number from 0 to 20; None for anything else."""
    if not _is_number(value) or value != int(value) or not 0 <= value <= 20:
        return None
    return math.factorial(int(value))


def _whole_numbers(values):
    """The values as whole numbers; None when one of them is none."""
    if not values or not all(_is_number(value) and abs(value) < 2**63 and value == int(value) for value in values):
        return None
    return [int(value) for value in values]


def _greatest_common_divisor(*values):
    """The greatest whole number that divides all; None when one of them is no whole number."""
    numbers = _whole_numbers(values)
    return None if numbers is None else _finite(math.gcd(*numbers))


def _least_common_multiple(*values):
    """The least whole number that all divide; None when one of them is no whole number, or it is out of range."""
    numbers = _whole_numbers(values)
    return None if numbers is None or len(numbers) > 100 else _finite(math.lcm(*numbers))


def _floor(value):
    """The greatest whole number that is not above; None when it is no number."""
    return _finite(math.floor(value)) if _is_number(value) else None


def _ceiling(value):
    """The least whole number that is not below; None when it is no number."""
    return _finite(math.ceil(value)) if _is_number(value) else None


def _is_prime(value):
    """Whether a whole number up to 10^12 is prime; None for anything else."""
    if not _is_number(value) or value != int(value) or abs(value) > 10**12:
        return None
    number = int(value)
    if number < 4:
        return number > 1
    return number % 2 == 1 and all(number % divisor for divisor in range(3, math.isqrt(number) + 1, 2))


def _angle(value, degrees):
    """The angle in radians; None when it is no number or too large to mean anything."""
    if not _is_number(value) or abs(value) > 1e15:
        return None
    return math.radians(value) if degrees else value


def _sine(value, degrees=False):
    """The sine of an angle; None when it is no number."""
    angle = _angle(value, degrees)
    return None if angle is None else _finite(math.sin(angle))


def _cosine(value, degrees=False):
    """The cosine of an angle; None when it is no number."""
    angle = _angle(value, degrees)
    return None if angle is None else _finite(math.cos(angle))


def _tangent(value, degrees=False):
    """The tangent of an angle; None where it is not defined."""
    angle = _angle(value, degrees)
    return None if angle is None or abs(math.cos(angle)) < 1e-12 else _finite(math.tan(angle))


def _turned(angle, degrees):
    """An angle in radians, or in degrees."""
    return _finite(math.degrees(angle) if degrees else angle)


def _arcsine(value, degrees=False):
    """The angle of a sine; None where there is none."""
    return _turned(math.asin(value), degrees) if _is_number(value) and -1 <= value <= 1 else None


def _arccosine(value, degrees=False):
    """The angle of a cosine; None where there is none."""
    return _turned(math.acos(value), degrees) if _is_number(value) and -1 <= value <= 1 else None


def _arctangent(value, degrees=False):
    """The angle of a tangent; None when it is no number."""
    return _turned(math.atan(value), degrees) if _is_number(value) else None


def _to_base(value, base):
    """A whole number written in a base from 2 to 36; None when that cannot be."""
    if not _is_number(value) or value != int(value) or base not in range(2, 37) or abs(value) >= 2**63:
        return None
    number, digits = abs(int(value)), ""
    while number:
        number, digit = divmod(number, int(base))
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return ("-" if value < 0 else "") + (digits or "0")


def _from_base(value, base):
    """The whole number that a text spells in a base from 2 to 36; None when it spells none."""
    text = _text(value)
    if text is None or base not in range(2, 37) or not re.fullmatch(r"[+-]?(0[xob])?[0-9a-z]{1,64}", text.lower()):
        return None
    try:
        return _finite(int(text, int(base)))
    except ValueError:
        return None


def _great_circle(first_latitude, first_longitude, second_latitude, second_longitude):
    """The kilometres between two points of the earth, as a sphere; None when a coordinate is none."""
    degrees = [first_latitude, first_longitude, second_latitude, second_longitude]
    limits = (90, 180, 90, 180)
    if not all(_is_number(d) and abs(d) <= limit for d, limit in zip(degrees, limits, strict=True)):
        return None
    south, west, north, east = [math.radians(d) for d in degrees]
    part = math.sin((north - south) / 2) ** 2 + math.cos(south) * math.cos(north) * math.sin((east - west) / 2) ** 2
    return _finite(12742.0176 * math.asin(math.sqrt(min(1.0, part))))


def _evaluate(expression):
    """The value of an arithmetic expression with + - * / % ^, parentheses and functions; None when it has none."""
    if not isinstance(expression, str) or len(expression) > 500 or re.search(r"[\\w.]\\s+[\\w.]", expression):
        return None
    text = re.sub(r"\\s+", "", expression.lower()).replace("**", "^").replace("\\u00d7", "*").replace("\\u00f7", "/")
    tokens = re.findall(r"(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:e[+-]?[0-9]+)?|[a-z]+|[-+*/%^()]", text)
    values, waiting, starts = [], [], True
    constants = {"pi": math.pi, "e": math.e}
    ranks = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "negative": 3, "^": 4}
    ranks.update({name: 5 for name in ("sqrt", "abs", "ln", "log", "sin", "cos", "tan", "round")})
    for token in tokens if "".join(tokens) == text else ["?"]:
        if token in ("+", "-", "*", "/", "%", "^") and not starts:
            while waiting and waiting[-1] != "(" and ranks[waiting[-1]] >= ranks[token] + (token == "^"):
                _operate(values, waiting.pop())
            waiting.append(token)
            starts = True
        elif token == ")" and not starts and "(" in waiting:
            while waiting[-1] != "(":
                _operate(values, waiting.pop())
            waiting.pop()
        elif not starts:
            return None
        elif token == "(" or ranks.get(token) == 5:
            waiting.append(token)
        elif token == "-":
            waiting.append("negative")
        elif token in constants or token[0] in "0123456789.":
            values.append(constants[token] if token in constants else _number(token))
            starts = False
        elif token != "+":
            return None
    if starts or "(" in waiting:
        return None
    while waiting:
        _operate(values, waiting.pop())
    return values[0]


def _operate(values, operator):
    """Replace the operands at the end of a list by the result of an operator; by None where there is none."""
    right = values.pop()
    if operator == "negative":
        values.append(_negate(right))
    elif operator in ("sqrt", "abs", "ln", "log", "sin", "cos", "tan", "round"):
        result = {"sqrt": _root, "abs": _absolute, "ln": _logarithm, "sin": _sine, "cos": _cosine, "tan": _tangent}
        result = {**result, "log": lambda value: _logarithm(value, 10), "round": _round}
        values.append(result[operator](right))
    else:
        result = {"+": _add, "-": _subtract, "*": _multiply, "/": _divide, "%": _modulo, "^": _power}
        values.append(result[operator](values.pop(), right))
'''
