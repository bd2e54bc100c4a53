"""What the Linux kernel can do to keep a process where it belongs, through ctypes: namespaces, chroot, Landlock,
capabilities, seccomp.

Invariant: `contain` never raises for a feature that the kernel lacks or refuses; it reports each feature that is in
force. It must run in a process with one thread, after everything the process needs was imported and before any
generated code. Sources: `landlock(7)`, `capabilities(7)`, `user_namespaces(7)`. Not covered: other systems, where every
function here reports that nothing is in force.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

from autoforge.mcp_envs.containment.limits import Enforcement, Limits, limit_resources
from autoforge.mcp_envs.containment.seccomp import restrict_system_calls

__all__ = ["confine", "contain"]

_NEW_USER, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x40000000, 0x08000000
_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL = 4, 24, 38, 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""Landlock ABI -> number of file rights it knows, lowest bits first."""
_STATE_RIGHTS = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 14
"""write_file, read_file, read_dir, remove_file, make_reg, truncate; no links, folders, sockets, fifos or devices."""
_READING_RIGHTS = 1 << 2 | 1 << 3
"""read_file, read_dir."""


def contain(folder: Path, limits: Limits, without: tuple[str, ...] = ()) -> Enforcement:
    """Give up every right but those over `folder`, for good; what is in force afterwards. The working directory is
    `folder` then.

    `without` names features to leave out, so that tests can see what each of them is worth.
    """
    os.chdir(folder)
    resources = limit_resources(limits)
    if not sys.platform.startswith("linux"):
        return Enforcement(resources=resources)
    library = ctypes.CDLL(None, use_errno=True)
    namespaces = "namespaces" not in without and library.unshare(_NEW_USER | _NEW_NETWORK | _NEW_IPC) == 0
    chroot = "chroot" not in without and library.chroot(b".") == 0 and library.chdir(b"/") == 0
    capabilities = _drop_capabilities(library)
    landlock = 0 if "landlock" in without else _restrict_files(library, {".": _STATE_RIGHTS})
    seccomp = "seccomp" not in without and restrict_system_calls(library)
    return Enforcement(landlock, chroot, seccomp, namespaces, capabilities, resources)


def confine(limits: Limits) -> Enforcement:
    """Give up, for good, to write files, to start programs, to gain rights and to make connections; what is in force
    afterwards. Files can be read, and threads, pipes and socket pairs work: what a server on stdio needs.
    """
    resources = limit_resources(limits, threads=True)
    if not sys.platform.startswith("linux"):
        return Enforcement(resources=resources)
    library = ctypes.CDLL(None, use_errno=True)
    namespaces = library.unshare(_NEW_USER | _NEW_NETWORK | _NEW_IPC) == 0
    capabilities = _drop_capabilities(library)
    landlock = _restrict_files(library, {"/": _READING_RIGHTS, os.devnull: 1 << 1 | 1 << 2})
    return Enforcement(landlock, namespaces=namespaces, capabilities=capabilities, resources=resources)


def _drop_capabilities(library: ctypes.CDLL) -> bool:
    library.prctl(_PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(64):
        library.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    dropped = library.capset(header, ctypes.create_string_buffer(24)) == 0
    library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return bool(library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and dropped)


def _restrict_files(library: ctypes.CDLL, allowed: Mapping[str, int]) -> int:
    """Only the paths named stay reachable, each with its rights; the Landlock ABI, or 0 where there is none."""
    abi = library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < 1:
        return 0
    rights = (1 << _FILE_RIGHTS[max(known for known in _FILE_RIGHTS if known <= abi)]) - 1
    network, scope = (3 if abi >= 4 else 0), (3 if abi >= 6 else 0)
    attributes = struct.pack("=QQQ", rights, network, scope)[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    ruleset = library.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        return 0
    try:
        added = all([_allow(library, ruleset, path, wanted & rights) for path, wanted in allowed.items()])
        return abi if added and library.syscall(_RESTRICT_SELF, ruleset, 0) == 0 else 0
    finally:
        os.close(ruleset)


def _allow(library: ctypes.CDLL, ruleset: int, path: str, rights: int) -> bool:
    beneath = os.open(path, os.O_PATH)
    try:
        rule = struct.pack("=Qi", rights, beneath)
        return bool(library.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0) == 0)
    finally:
        os.close(beneath)
