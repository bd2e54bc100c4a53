"""Source of the helper functions of generated code for paths and for the lines of files; `helpers` says what they
keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["PATHS"]

PATHS = '''
def _path_join(base, path):
    """The absolute path: a relative one starts at the base, `.` and `..` are resolved; None when there is no path."""
    if path is None:
        return None
    whole = _text(path) if _text(path).startswith("/") else f"{_text(base) or ''}/{_text(path)}"
    parts = []
    for part in whole.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _path_parent(path):
    """The directory that a path lies in; None for the top and for None."""
    if path is None or _text(path) in ("", "/"):
        return None
    return _text(path).rstrip("/").rpartition("/")[0] or "/"


def _path_name(path):
    """The last part of a path, `/` for the top; None stays None."""
    return None if path is None else _text(path).rstrip("/").rpartition("/")[2] or "/"


def _path_ancestors(path):
    """The directories that a path lies in, the top first; an empty list for the top and for None."""
    found = []
    parent = _path_parent(path)
    while parent is not None and parent not in found:
        found = [parent, *found]
        parent = _path_parent(parent)
    return found


def _path_under(path, directory):
    """Whether a path lies below a directory, at any depth; False for None."""
    if path is None or directory is None or _text(path) == _text(directory):
        return False
    return _text(path).startswith(_text(directory).rstrip("/") + "/")


def _path_relative(path, base):
    """A path as seen from a directory above it, `.` for the directory itself, else as it is; None stays None."""
    if path is None or base is None:
        return _text(path)
    if _path_under(path, base):
        return _text(path)[len(_text(base).rstrip("/")) + 1 :]
    return "." if _text(path) == _text(base) else _text(path)


def _path_tree(entries, top):
    """What lies below a path as nested objects of name, type and, for directories, children."""
    below = {}
    for entry in _as_list(entries):
        below.setdefault(_path_parent(_item(entry, "path")), []).append(entry)
    nested = {}
    for entry in sorted(_as_list(entries), key=lambda entry: _sort_key(_item(entry, "path")), reverse=True):
        path = _item(entry, "path")
        node = {"name": _item(entry, "name"), "type": _item(entry, "kind")}
        if _item(entry, "kind") == "directory":
            members = sorted(below.get(_text(path), []), key=lambda member: _sort_key(_item(member, "name")))
            node["children"] = [nested.get(_text(_item(m, "path"))) for m in members if _item(m, "path") != path]
        nested[_text(path)] = node
    found = sorted(below.get(_text(top), []), key=lambda member: _sort_key(_item(member, "name")))
    return [nested[_text(_item(member, "path"))] for member in found]


def _matches_glob(path, patterns):
    """Whether a path matches one of the patterns (`*`, `?`; one with `/` is matched to the whole path, others to its
    name); a pattern without wildcards has to occur in the name, ignoring case. False for None."""
    for pattern in _as_list(patterns):
        pattern = _text(pattern) or ""
        while pattern.startswith("**/"):
            pattern = pattern[3:]
        name = _text(path) or ""
        name = name if "/" in pattern else _path_name(name)
        wild = "*" in pattern or "?" in pattern
        if path is not None and (_glob(name, pattern) if wild else pattern.casefold() in name.casefold()):
            return True
    return False


def _glob(name, pattern):
    """Whether a name matches a pattern: `?` is one character, `*` any number of them."""
    at, place, star, mark = 0, 0, -1, 0
    while at < len(name):
        if place < len(pattern) and pattern[place] == "*":
            star, mark = place, at
            place += 1
        elif place < len(pattern) and pattern[place] in ("?", name[at]):
            at, place = at + 1, place + 1
        elif star >= 0:
            mark += 1
            at, place = mark, star + 1
        else:
            return False
    return not pattern[place:].strip("*")


def _lines(value):
    """The lines of a text; an empty list for None."""
    return (_text(value) or "").splitlines()


def _head_lines(value, size):
    """The first lines of a text; all of them when no number is known. None stays None."""
    if value is None or not _is_number(size):
        return _text(value)
    return "\\n".join(_lines(value)[: max(0, int(size))])


def _tail_lines(value, size):
    """The last lines of a text; all of them when no number is known. None stays None."""
    if value is None or not _is_number(size):
        return _text(value)
    lines = _lines(value)
    return "\\n".join(lines[max(0, len(lines) - max(0, int(size))) :])


def _sort_lines(value):
    """The lines of a text in order; None stays None."""
    return None if value is None else "\\n".join(sorted(_lines(value)))


def _count_words(value):
    """The number of words of a text; 0 for None."""
    return len((_text(value) or "").split())


def _byte_size(value):
    """The size of a text in bytes; 0 for None."""
    return len((_text(value) or "").encode("utf-8", "replace"))


def _readable_size(value):
    """A number of bytes as a person reads it: `512 B`, `1.5 KB`; None when it is no number."""
    if not _is_number(value):
        return None
    for unit in ("B", "KB", "MB", "GB"):
        if abs(value) < 1024 or unit == "GB":
            return f"{_text(_round(value, 1))} {unit}"
        value = _divide(value, 1024)


def _replace_first(value, old, new):
    """The text with the first occurrence of a part replaced; unchanged when there is nothing to replace."""
    if value is None or old is None or old == "":
        return _text(value)
    return _text(value).replace(_text(old), _text(new) or "", 1)


def _diff_lines(old, new):
    """The lines in which two texts differ: `- ` before those of the first only, `+ ` before those of the second."""
    first, second = _lines(old), _lines(new)
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    first, second = first[start:][:400], second[start:][:400]
    common = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            longest = max(common[i + 1][j], common[i][j + 1])
            common[i][j] = common[i + 1][j + 1] + 1 if first[i] == second[j] else longest
    found, i, j = [], 0, 0
    while i < len(first) or j < len(second):
        if i < len(first) and j < len(second) and first[i] == second[j]:
            i, j = i + 1, j + 1
        elif i < len(first) and (j == len(second) or common[i + 1][j] >= common[i][j + 1]):
            found.append(f"- {first[i]}")
            i += 1
        else:
            found.append(f"+ {second[j]}")
            j += 1
    return "\\n".join(found)
'''
