"""Attempts to get out, each with the wall that stops it: the static check, or the child process.

What the static check refuses is also run behind it, in a worker without the check, where it could do harm: there the
kernel must stop it.
"""

# ruff: noqa: E501 (a table reads better with one attempt a line, and one of them is spelled in wide letters)
from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from autoforge.mcp_envs.containment import CallResult, Enforcement, SyncWorker, check_source, probe

CANARY = "canary-5f1d"


class Escape(NamedTuple):
    """One attempt."""

    name: str
    code: str
    stopped_by: str = "static"
    """`static`, or `contained`: passes the check and is stopped by the child process."""
    behind: str | None = None
    """What it may come to behind the check, kinds joined by `|`; None: not run there (it only walks objects, or proves
    nothing more)."""
    needs: str = ""
    """What the kernel must enforce for that: a field or property of Enforcement."""


CONTAINED = "failed|deadline"

STATIC = [
    # objects
    Escape("class walk", "return str(().__class__.__bases__[0].__subclasses__())"),
    Escape("mro", "return str(type(db).mro())"),
    Escape("globals of a lambda", "return list((lambda: 0).__globals__)"),
    Escape("closure", "return (lambda: path).__closure__[0].cell_contents"),
    Escape("globals of a helper", "def _help():\n    return 1\n\n\ndef attempt(db):\n    return str(_help.__globals__)"),
    Escape("code object", "return str(_x.__code__)"),
    Escape("private connection", "return db._connection.execute('SELECT 1').fetchone()[0]"),
    Escape("frame of a generator", "return str((x for x in [1]).gi_frame.f_back.f_globals)"),
    Escape("generator function", "def _walk():\n    yield 1\n\n\ndef attempt(db):\n    return list(_walk())"),
    Escape("traceback frames", "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    return str(error.__traceback__.tb_frame.f_back)"),
    Escape("with_traceback", "raise ToolError('x').with_traceback(None)"),
    Escape("dunder in an f-string", "return f'{db.__class__}'"),
    Escape("dunder in a format spec", "return f'{1:{db.__class__}}'"),
    Escape("str.format walk", "return '{0.__class__.__init__.__globals__}'.format(db)"),
    Escape("format unbound", "return str.format('{0.__class__}', db)"),
    Escape("format_map", "return '{x.__class__}'.format_map({'x': db})"),
    Escape("class pattern", "match db:\n    case object(__class__=c):\n        return str(c)"),
    Escape("metaclass", "class Meta(type):\n    pass\n\n\ndef attempt(db):\n    return 1"),
    Escape("class with a body", "def attempt(db):\n    class Quiet(Exception):\n        __init__ = print\n    return 1"),
    Escape("decorator", "@print\ndef attempt(db):\n    return 1"),
    Escape("decorated helper", "@staticmethod\ndef _h():\n    return 1\n\n\ndef attempt(db):\n    return 1"),
    Escape("attribute set", "db.run = print\nreturn 1"),
    Escape("function attribute", "names.x = 1\nreturn 1"),
    Escape("bound method kept", "ask = db.all\nreturn ask(path)"),
    Escape("db under another name", "other = db\nreturn other.all(path)"),
    Escape("db in a list", "return [db][0].all(path)"),
    Escape("db rebound", "db = path\nreturn 1"),
    Escape("map over db.all", "return list(map(db.all, [path]))"),
    # builtins
    Escape("getattr", "return getattr(db, '_conn' + 'ection')"),
    Escape("setattr", "setattr(db, 'x', 1)"),
    Escape("eval", "return eval('1')"),
    Escape("exec", "exec('x = 1')"),
    Escape("compile", "compile('1', '', 'eval')"),
    Escape("type with three arguments", "return str(type('X', (), {}))"),
    Escape("vars", "return str(vars())"),
    Escape("globals", "return str(globals())"),
    Escape("locals", "return str(locals())"),
    Escape("dir", "return dir(db)"),
    Escape("builtins by name", "return str(__builtins__)"),
    Escape("fullwidth eval", "return ｅｖａｌ('1')"),
    Escape("eval under a parameter's name", "def _f(eval):\n    return eval\n\n\ndef attempt(db):\n    return eval('1')"),
    Escape("eval after a dead binding", "def attempt(db):\n    return [eval('1') for x in [1]] + [eval for eval in []]"),
    Escape("input", "return input()"),
    Escape("breakpoint", "breakpoint()"),
    Escape("super", "return str(super)"),
    Escape("global", "global names\nnames = 1"),
    Escape("async", "async def _f():\n    return 1\n\n\ndef attempt(db):\n    return 1"),
    Escape("star import", "from os import *\n\n\ndef attempt(db):\n    return 1"),
    Escape("import of a module's module", "from json import decoder\n\n\ndef attempt(db):\n    return 1"),
    Escape("a module's private parts", "import re\n\n\ndef attempt(db):\n    return str(re._compiler)"),
    Escape("a module as a value", "import json\n\n\ndef attempt(db):\n    return str([json])"),
    Escape("sys", "import sys\nreturn str(sys.modules)"),
    Escape("attrgetter", "from operator import attrgetter\n\n\ndef attempt(db):\n    return str(attrgetter('__class__')(db))"),
    Escape("namedtuple", "from collections import namedtuple\n\n\ndef attempt(db):\n    return str(namedtuple('A', 'b'))"),
    # swallowing the deadline
    Escape("bare except", "while True:\n    try:\n        pass\n    except:\n        pass"),
    Escape("except Exception", "try:\n    pass\nexcept Exception:\n    pass"),
    Escape("except BaseException", "try:\n    pass\nexcept BaseException:\n    pass"),
    Escape("except by a computed kind", "try:\n    pass\nexcept (ValueError, *[KeyError]):\n    pass"),
    Escape("finally", "while True:\n    try:\n        return 1\n    finally:\n        continue"),
    Escape("with", "with path:\n    pass"),
    # clock and chance
    Escape("wall clock", "from datetime import datetime\n\n\ndef attempt(db):\n    return str(datetime.now())"),
    Escape("today", "import datetime\n\n\ndef attempt(db):\n    return str(datetime.date.today())"),
    Escape("random", "import random\nreturn random.random()"),
    Escape("state in a default", "def attempt(db, *, seen=[]):\n    seen.append(1)\n    return seen"),
    Escape("SQL clock", "return db.value(\"SELECT datetime('now')\")"),
    Escape("SQL random", "return db.value('SELECT random()')"),
    # literals
    Escape("power of powers", "return 10 ** 10 ** 10"),
    Escape("long literal text", "return 'a' * 10 ** 9"),
    Escape("long literal list", "return [0] * 1000000000"),
    Escape("shift", "return 1 << 100000000"),
    Escape("long number", "return " + "9" * 5000),
    Escape("deep nesting", "return " + "(" * 300 + "1" + ")" * 300),
    Escape("deep operators", "return " + "-" * 500 + "1"),
    # SQL
    Escape("SQL from a parameter", "return db.all(path)"),
    Escape("SQL with a parameter in it", "return db.all(f'SELECT * FROM item WHERE name = {path}')"),
    Escape("SQL by percent", "return db.all('SELECT * FROM %s' % path)"),
    Escape("SQL by replace", "return db.all('SELECT X'.replace('X', path))"),
    Escape("SQL from a row", "return db.all('SELECT ' + db.value('SELECT name FROM item'))"),
    Escape("SQL from a list that a parameter got into", "c = ['a']\nc.append(path)\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from an alias", "c = ['a']\nd = c\nd.append(path)\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a list in a list", "c = ['a']\nd = [c]\nd[0].append(path)\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a loop's alias", "c = ['a']\nfor d in [c]:\n    d.append(path)\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a walrus", "c = ['a']\n(d := c).append(path)\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a choice", "c = ['a']\n(c if path else c).append(path)\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a helper's change", "def _add(c, x):\n    c.append(x)\n\n\ndef attempt(db, *, path):\n    c = ['a']\n    _add(c, path)\n    return db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a changed table", "_T = {'a': 'name'}\n\n\ndef attempt(db, *, path):\n    _T['a'] = path\n    return db.all(f'SELECT {_T[\"a\"]} FROM item')"),
    Escape("SQL from two names in a ring", "a = 'x'\nb = a\na = b + path\nreturn db.all('SELECT ' + b)"),
    Escape("SQL from a default of get", "return db.all('SELECT ' + {'a': 'b'}.get(path, path))"),
    Escape("SQL from a lambda", "c = ['a']\n(lambda: c.append(path))()\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL from a nested function", "c = ['a']\ndef f():\n    c.append(path)\nf()\nreturn db.all('SELECT ' + ','.join(c))"),
    Escape("SQL by keyword", "return db.all(sql=path)"),
    Escape("SQL by star", "return db.all(*[path])"),
    Escape("ATTACH", "return db.all(\"ATTACH '/tmp/x' AS y\")", "static", "failed"),
    Escape("PRAGMA", "return db.all('PRAGMA writable_schema = 1')", "static", "failed"),
    Escape("pragma function", "return db.all(\"SELECT * FROM pragma_table_info('item')\")", "static", "failed"),
    Escape("VACUUM INTO", "return db.all(\"VACUUM INTO '/tmp/x'\")", "static", "failed"),
    Escape("load_extension", "return db.value(\"SELECT load_extension('x')\")", "static", "failed"),
    Escape("two statements", "return db.run('DELETE FROM item; DROP TABLE item')", "static", "failed"),
    Escape("DROP", "return db.run('DROP TABLE item')", "static", "failed"),
    Escape("COMMIT", "db.run('DELETE FROM item')\ndb.run('COMMIT')\nraise ToolError('x')", "static", "failed"),
    Escape("keyword in two halves", "return db.all('SELECT 1 WHERE ' + 'load_exten' 'sion' + '(1)')", "static", "failed"),
    Escape("the worker's own table", "return db.run('DELETE FROM autoforge_calls')", "static", "failed"),
    # the system, where the kernel must hold
    Escape("open a secret", "return open(path).read()", "static", "failed", "filesystem"),
    Escape("open /etc/passwd", "return open('/etc/passwd').read()", "static", "failed", "filesystem"),
    Escape("io.open_code", "import io\nreturn io.open_code(path).read().decode()", "static", "failed", "filesystem"),
    Escape("write outside", "open(path + '.new', 'w').write('x')\nreturn 1", "static", "failed", "filesystem"),
    Escape("append to the secret", "import os\nos.write(os.open(path, os.O_WRONLY | os.O_APPEND), b'x')\nreturn 1", "static", "failed", "filesystem"),
    Escape("write above the state folder", "open('../up.txt', 'w').write('x')\nreturn 1", "static", "ok|failed", "filesystem"),
    Escape("list the root", "import os\nreturn [n for n in os.listdir('/') if n in ('etc', 'proc', 'usr')][0]", "static", "failed", "filesystem"),
    Escape("remove the secret", "import os\nos.remove(path)\nreturn 1", "static", "failed", "filesystem"),
    Escape("rename the secret", "import os\nos.rename(path, path + '.moved')\nreturn 1", "static", "failed", "filesystem"),
    Escape("link to the secret", "import os\nos.symlink(path, 'f.sqlite')\nreturn 1", "static", "failed", "filesystem"),
    Escape("chmod the secret", "import os\nos.chmod(path, 0o777)\nreturn 1", "static", "failed", "seccomp"),
    Escape("chroot out", "import os\nos.mkdir('d')\nos.chroot('d')\nos.chdir('../../../..')\nreturn os.listdir('etc')", "static", "failed", "filesystem"),
    Escape("parent's environment", "return open(f'/proc/{pid}/environ').read()", "static", "failed", "filesystem"),
    Escape("parent's memory", "return open(f'/proc/{pid}/mem', 'rb').read(1).hex()", "static", "failed", "filesystem"),
    Escape("sqlite3 outside", "import sqlite3\nsqlite3.connect(path + '.db').execute('CREATE TABLE x(y)')\nreturn 1", "static", "failed", "filesystem"),
    Escape("environment variables", "import os\nreturn dict(os.environ)", "static", "ok"),
    Escape("os.system", "import os\nreturn 1 / (os.system('touch ' + path + '.new') == 0)", "static", "failed", "seccomp"),
    Escape("subprocess", "import subprocess\nreturn subprocess.check_output(['/bin/echo', 'out']).decode()", "static", "failed", "seccomp"),
    Escape("execve", "import os\nos.execv('/bin/sh', ['sh'])", "static", "failed", "seccomp"),
    Escape("fork", "import os\nreturn os.fork()", "static", "failed", "seccomp"),
    Escape("fork bomb", "import os\nwhile True:\n    os.fork()", "static", "failed", "seccomp"),
    Escape("thread", "import threading\nthreading.Thread(target=print).start()\nreturn 1", "static", "failed", "seccomp"),
    Escape("connect", "import socket\nsocket.create_connection(('127.0.0.1', port), 1).close()\nreturn 1", "static", "failed", "network"),
    Escape("datagram", "import socket\nsocket.socket(2, 2).sendto(b'x', ('127.0.0.1', port))\nreturn 1", "static", "failed", "network"),
    Escape("unix socket pair", "import socket\nsocket.socketpair()\nreturn 1", "static", "failed", "seccomp"),
    Escape("http", "import urllib.request\nreturn urllib.request.urlopen(f'http://127.0.0.1:{port}').read()", "static", "failed", "network"),
    Escape("kill the parent", "import os\nos.kill(pid, 9)\nreturn 1", "static", "failed", "seccomp"),
    Escape("signal by file", "import fcntl, os\nr, w = 0, 1\nfcntl.fcntl(0, fcntl.F_SETOWN, pid)\nreturn 1", "static", "failed", "seccomp"),
    Escape("ptrace", "import ctypes\nreturn 1 / (ctypes.CDLL(None).ptrace(16, pid, 0, 0) == 0)", "static", "failed", "seccomp"),
    Escape("ctypes system", "import ctypes\nreturn 1 / (ctypes.CDLL(None).system(b'true') == 0)", "static", "failed", "seccomp"),
    Escape("executable memory", "import mmap\nmmap.mmap(-1, 4096, prot=7)\nreturn 1", "static", "failed", "seccomp"),
    Escape("pickle", "import pickle\nreturn pickle.loads(b'cos\\nsystem\\n(S\"touch x\"\\ntR.')  / 1 and 1 / 0", "static", "failed", "seccomp"),
    Escape("raise the limits", "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\nreturn 1", "static", "failed", "seccomp"),
    Escape("new namespace", "import ctypes\nreturn 1 / (ctypes.CDLL(None).unshare(0x10000000) == 0)", "static", "failed", "seccomp"),
    Escape("io_uring", "import ctypes\nreturn 1 / (ctypes.CDLL(None).syscall(425, 8, bytes(120)) >= 0)", "static", "failed", "seccomp"),
    Escape("memfd", "import os\nos.memfd_create('x')\nreturn 1", "static", "failed", "seccomp"),
    Escape("signal handler", "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nreturn 1", "static", "failed", "seccomp"),
    Escape("timer off", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nsignal.setitimer(signal.ITIMER_PROF, 0)\nwhile True:\n    pass", "static", "deadline"),
    Escape("signals blocked", "import signal\nsignal.pthread_sigmask(0, range(1, 65))\nwhile True:\n    pass", "static", "deadline"),
    Escape("swallow everything", "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass", "static", "deadline"),
    Escape("sleep", "import time\ntime.sleep(60)", "static", "deadline"),
    Escape("sys.exit", "import sys\nsys.exit(0)", "static", "failed"),
    Escape("os._exit", "import os\nos._exit(0)", "static", "failed"),
    Escape("segmentation fault", "import ctypes\nctypes.string_at(1)", "static", "failed"),
    Escape("print", "print('{\"id\":1}')\nreturn 'printed'", "static", "ok"),
    Escape("close every file", "import os\nos.closerange(0, 200)\nreturn 1", "static", "failed"),
    Escape("forge a reply", "import os, stat\npipes = [n for n in range(3, 20) if os.path.exists(n) and stat.S_ISFIFO(os.fstat(n).st_mode)]\nos.write(pipes[-1], b'{\"id\": 1, \"reply\": 7}\\n')\nreturn 1", "static", "failed"),
    Escape("flood the pipe", "import os, stat\npipes = [n for n in range(3, 20) if os.path.exists(n) and stat.S_ISFIFO(os.fstat(n).st_mode)]\nwhile True:\n    os.write(pipes[-1], b'x' * 65536)", "static", CONTAINED),
    Escape("stack smash", "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1)\nreturn f(0)", "static", CONTAINED),
    Escape("huge file", "open('big', 'wb').truncate(10**12)\nreturn 1", "static", "failed"),
    Escape("many files", "return len([open('f%d' % n, 'w') for n in range(1000)])", "static", "failed"),
    Escape("tear the state", "import os\nos.truncate('e.sqlite', 10)\nreturn 1 / 0", "static", "failed"),
]  # fmt: skip

CHILD = [
    Escape("endless loop", "while True:\n    pass", "contained", "deadline"),
    Escape("endless loop that catches what it may", "while True:\n    try:\n        int('x')\n    except ValueError:\n        pass", "contained", "deadline"),
    Escape("endless generator", "return sum(1 for _ in iter(int, 1))", "contained", "deadline"),
    Escape("C loop that looks at no signal", "return len(range(10 ** 12)) + sum(range(10 ** 11))", "contained", "deadline"),
    Escape("power at run time", "n = len('x' * 9) + 1\nreturn (n ** 9) ** (n ** 7) % 7", "contained", "deadline"),
    Escape("catastrophic pattern", "import re\n\n\ndef attempt(db):\n    return bool(re.match('(a+)+$', 'a' * 40 + 'b'))", "contained", "deadline"),
    Escape("slow recursive SQL", "return db.value('WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t')", "contained", "deadline"),
    Escape("slow join", "return db.value('WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM t WHERE x < 9999) SELECT count(*) FROM t a, t b, t c')", "contained", "deadline"),
    Escape("zeroblob", "return db.value('SELECT length(zeroblob(2000000000))')", "contained", "failed"),
    Escape("printf", "return db.value(\"SELECT length(printf('%.*c', 2000000000, 'x'))\")", "contained", "failed"),
    Escape("huge SQL text", "return db.value(\"SELECT length(replace(hex('\" + 'a' * 50000 + \"'), '6', hex('\" + 'b' * 50000 + \"')))\")", "contained", "failed"),
    Escape("huge list", "items = []\nn = 10 ** 6\nwhile True:\n    items.append('x' * n + str(len(items)))", "contained", CONTAINED, "resources"),
    Escape("huge text at once", "n = 10 ** 10\nreturn len('x' * n)", "contained", "failed", "resources"),
    Escape("doubling text", "text = 'x'\nwhile True:\n    text += text", "contained", "failed", "resources"),
    Escape("huge result", "n = 10 ** 7\nreturn 'x' * n", "contained", "failed"),
    Escape("wide number format", "return len('%900000000000d' % 1)", "contained", "failed", "resources"),
    Escape("recursion", "def _f(n):\n    return _f(n + 1)\n\n\ndef attempt(db):\n    return _f(0)", "contained", "failed"),
    Escape("JSON bomb in", "import json\n\n\ndef attempt(db):\n    n = 10 ** 5\n    return json.loads('[' * n)", "contained", "failed"),
    Escape("JSON bomb out", "deep = []\nfor _ in range(100000):\n    deep = [deep]\nreturn deep", "contained", "failed"),
    Escape("circle", "ring = []\nring.append(ring)\nreturn ring", "contained", "failed"),
    Escape("not JSON", "return {1, 2}", "contained", "failed"),
    Escape("not a number", "return float('nan')", "contained", "failed"),
    Escape("half a character", "return chr(0xD800)", "contained", "failed"),
    Escape("longest number", "n = 10 ** 40\nfor _ in range(9):\n    n = n * n\nreturn n", "contained", "failed"),
    Escape("an error that is huge", "n = 10 ** 7\nraise ValueError('x' * n)", "contained", "failed"),
    Escape("a second clock", "return db.run('UPDATE item SET name = (SELECT now FROM autoforge_clock)') / 0", "contained", "failed"),
    Escape("the clock moved", "return db.run(\"UPDATE autoforge_clock SET now = '2030'\")", "contained", "failed"),
]  # fmt: skip

BEHIND = [escape for escape in STATIC if escape.behind]


def _named(escape: Escape) -> str:
    return escape.name


@pytest.mark.parametrize("escape", STATIC, ids=_named)
def test_the_static_check_refuses(escape: Escape, module: Callable[[str], str]) -> None:
    text = module(escape.code)
    findings = check_source(text)
    assert findings
    assert all(1 <= finding.line <= text.count("\n") + 1 and finding.message for finding in findings)


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server.getsockname()[1]
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "secret.txt"
    path.write_text(CANARY, encoding="utf-8")
    before = path.stat().st_mode
    yield path
    assert path.read_text(encoding="utf-8") == CANARY
    assert path.stat().st_mode == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["secret.txt", "states"]


def _require(escape: Escape, enforcement: Enforcement) -> None:
    if escape.needs and not getattr(enforcement, escape.needs):
        pytest.skip(f"this machine cannot enforce {escape.needs}: {'; '.join(enforcement.missing)}")


def _stopped(escape: Escape, result: CallResult) -> None:
    assert result.kind in (escape.behind or "").split("|"), result
    assert CANARY not in str(result)
    assert len(result.message) <= 2100


@pytest.mark.parametrize("escape", [*BEHIND, *CHILD], ids=_named)
def test_the_child_process_stops(
    escape: Escape, start: Callable[..., SyncWorker], secret: Path, listener: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOFORGE_SECRET", CANARY)
    _require(escape, probe())
    worker = start(escape.code, unchecked=escape.stopped_by == "static")
    worker.open("sibling")
    assert worker.call("sibling", "add", {"name": "three"}).ok
    arguments = {} if "def attempt" in escape.code else {"path": str(secret), "port": listener, "pid": os.getpid()}
    _stopped(escape, worker.call("e", "attempt", arguments))
    assert worker.call("sibling", "names", {}).value == ["one", "two", "three"]
    if escape.name != "tear the state":
        assert worker.call("e", "names", {}).value == ["one", "two"]


def test_the_table_covers_what_it_should() -> None:
    names = [escape.name for escape in (*STATIC, *CHILD)]
    assert len(names) == len(set(names)) >= 60
    assert all(escape.stopped_by == "static" for escape in STATIC)
    assert all(escape.stopped_by == "contained" and escape.behind for escape in CHILD)
