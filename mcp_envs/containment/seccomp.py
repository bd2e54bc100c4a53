"""The system calls that a worker still needs once its code is loaded, as a seccomp filter.

An allow-list: what is not named fails with EPERM (ENOSYS for calls newer than the list, so that the C library falls
back). Sources: the kernel's `seccomp_filter.rst`, `arch/x86/entry/syscalls/syscall_64.tbl`,
`include/uapi/asm-generic/unistd.h`. Invariant: no listed call starts a program or process, opens a socket, signals
another process, changes a signal handler or makes memory executable. Not covered: paths (`kernel.restrict_files`),
architectures other than x86-64 and ARM64.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from typing import NamedTuple

__all__ = ["filter_program", "restrict_system_calls"]


class _Numbers(NamedTuple):
    architecture: int
    """AUDIT_ARCH_*."""
    plain: tuple[int, ...]
    """Allowed with any arguments."""
    memory: tuple[int, int]
    """mmap and mprotect: allowed without PROT_EXEC."""
    control: int
    """fcntl: allowed for locks and descriptor flags; F_SETOWN could signal others."""
    limits: int
    """prlimit64: allowed for reading."""


_X86_64 = _Numbers(
    0xC000003E,
    (
        *(0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12),  # read write open close stat fstat lstat poll lseek munmap brk
        *(14, 15, 17, 18, 19, 20, 21, 23),  # rt_sigprocmask rt_sigreturn pread64 pwrite64 readv writev access select
        *(24, 25, 28),  # sched_yield mremap madvise
        *(35, 36, 38, 39, 60, 63),  # nanosleep getitimer setitimer getpid exit uname
        *(74, 75, 77, 78, 79, 87, 89),  # fsync fdatasync ftruncate getdents getcwd unlink readlink
        *(96, 97, 98, 99, 100),  # gettimeofday getrlimit getrusage sysinfo times
        *(102, 104, 107, 108),  # getuid getgid geteuid getegid
        *(131, 186, 201, 202, 204, 217),  # sigaltstack gettid time futex sched_getaffinity getdents64
        *(219, 221, 228, 229, 230, 231),  # restart_syscall fadvise64 clock_{gettime,getres,nanosleep} exit_group
        *(257, 262, 263, 267, 269, 270, 271),  # openat newfstatat unlinkat readlinkat faccessat pselect6 ppoll
        *(273, 285, 318, 324, 326, 332),  # set_robust_list fallocate getrandom membarrier copy_file_range statx
        *(334, 439),  # rseq faccessat2
    ),
    (9, 10),
    72,
    302,
)
_ARM64 = _Numbers(
    0xC00000B7,
    (
        *(17, 35, 46, 47, 48, 56, 57),  # getcwd unlinkat ftruncate fallocate faccessat openat close
        *(61, 62, 63, 64, 65, 66, 67, 68),  # getdents64 lseek read write readv writev pread64 pwrite64
        *(72, 73, 78, 79, 80, 82, 83),  # pselect6 ppoll readlinkat newfstatat fstat fsync fdatasync
        *(93, 94, 98, 99, 101, 102, 103),  # exit exit_group futex set_robust_list nanosleep getitimer setitimer
        *(113, 114, 115, 123, 124, 128),  # clock_{gettime,getres,nanosleep} sched_{getaffinity,yield} restart_syscall
        *(132, 135, 139, 153, 160),  # sigaltstack rt_sigprocmask rt_sigreturn times uname
        *(163, 165, 169, 172),  # getrlimit getrusage gettimeofday getpid
        *(174, 175, 176, 177, 178, 179, 214, 215),  # get{uid,euid,gid,egid} gettid sysinfo brk munmap
        *(
            216,
            223,
            233,
            278,
            283,
            285,
            291,
            293,
        ),  # mremap fadvise64 madvise getrandom membarrier copy_file_range statx rseq
        439,  # faccessat2
    ),
    (222, 226),
    25,
    261,
)
_MACHINES = {"x86_64": _X86_64, "aarch64": _ARM64}
_FCNTL_COMMANDS = (1, 2, 3, 5, 6, 7, 36, 37, 38, 1030)
"""F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_*LK*, F_DUPFD_CLOEXEC."""
_CLONE3 = 435
_NEWEST = 439

_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_PROT_EXEC = 4
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _step(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)


def _argument(index: int, high: bool = False) -> bytes:
    return _step(_LOAD, _ARGUMENTS_AT + 8 * index + 4 * high)


def _for_call(number: int, body: list[bytes]) -> list[bytes]:
    """The body runs, and ends in a return, when the call has this number."""
    return [_step(_EQUAL, number, 0, len(body)), *body]


def filter_program(numbers: _Numbers) -> bytes:
    """The filter as classic BPF instructions of 8 bytes each (little-endian machines)."""
    allow, refuse, unknown = (
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_RETURN, _ERROR | errno.ENOSYS),
    )
    steps = [
        _step(_LOAD, _ARCHITECTURE_AT),
        _step(_EQUAL, numbers.architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
    ]
    for number in numbers.plain:
        steps += _for_call(number, [allow])
    for number in numbers.memory:
        steps += _for_call(number, [_argument(2), _step(_ANY_BIT, _PROT_EXEC, 0, 1), refuse, allow])
    commands = [part for command in _FCNTL_COMMANDS for part in (_step(_EQUAL, command, 0, 1), allow)]
    steps += _for_call(numbers.control, [_argument(1), *commands, refuse])
    no_pointer = [
        _argument(2),
        _step(_EQUAL, 0, 1, 0),
        refuse,
        _argument(2, high=True),
        _step(_EQUAL, 0, 1, 0),
        refuse,
        allow,
    ]
    steps += _for_call(numbers.limits, no_pointer)
    steps += [_step(_EQUAL, _CLONE3, 0, 1), unknown, _step(_ABOVE, _NEWEST, 0, 1), unknown, refuse]
    return b"".join(steps)


def restrict_system_calls(library: ctypes.CDLL) -> bool:
    """Install the filter in this process for good; False where the kernel or the machine has no such filter."""
    numbers = _MACHINES.get(platform.machine())
    if not sys.platform.startswith("linux") or numbers is None or sys.maxsize < 2**32:
        return False
    program = filter_program(numbers)
    return bool(
        library.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(_Program(len(program) // 8, program)), 0, 0) == 0
    )
