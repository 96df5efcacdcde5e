"""Linux namespaces by way of ctypes: a world of its own for code that nobody has read.

Three steps. `enter` leaves the users, files, processes, network and IPC of the machine behind.
`only` builds a root that holds nothing but what Python needs, read-only, and leaves the old one.
`powerless` gives up every capability for good. `apart` makes the next child the first process of
its own process namespace: when it dies, the kernel kills whatever it has started.

The standard library alone: `os.unshare` is there from Python 3.12 on only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

NEW_MOUNT, NEW_UTS, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000

# From <linux/mount.h>; the three new system calls have one number on every architecture.
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_CLONE, _RECURSIVE, _EMPTY_PATH = 1, 0x8000, 0x1000
_READ_ONLY, _NO_SETUID = 1, 2
_NOSUID, _NODEV, _REC, _PRIVATE = 2, 4, 0x4000, 1 << 18
_DETACH = 2
_DEATH_SIGNAL, _NOT_DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38

# The one user there is inside, and whom it is outside when root asks: nobody at all.
INSIDE = 1000
_NOBODY = (1_999_000_001, 65534)


class Unconfined(OSError):
    """This machine does not let us; the text says which step failed."""


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _do(step: str, function: Callable[..., int], *arguments: object) -> int:
    result = function(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise Unconfined(number, f"{step}: {os.strerror(number)}")
    return result


def _syscall(step: str, *arguments: object) -> int:
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _do(step, _libc().syscall, *longs)


def _mount(kind: str, at: str, flags: int, options: str = "") -> None:
    _do(
        f"mount {at}", _libc().mount,
        kind.encode(), at.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode(),
    )  # fmt: skip


def unshare(flags: int) -> None:
    _do("unshare", _libc().unshare, flags)


def enter() -> None:
    """Namespaces of its own; the next child is the first process in the one for processes."""
    if not sys.platform.startswith("linux"):
        raise Unconfined(0, f"{sys.platform} has no namespaces")
    user, group = os.geteuid(), os.getegid()
    with _writer_of_maps(user, group) as write:
        unshare(NEW_USER | NEW_MOUNT | NEW_NETWORK | NEW_IPC | NEW_UTS | NEW_PROCESSES)
        write()
    # No further user namespace inside, with its powers over this one: best effort, see `powerless`.
    for knob, value in (("user/max_user_namespaces", "0"), ("kernel/shmall", "0")):
        with contextlib.suppress(OSError):
            Path("/proc/sys", knob).write_text(value)
    with contextlib.suppress(OSError):  # when memory runs out, we are the first to go
        Path("/proc/self/oom_score_adj").write_text("1000")


@contextlib.contextmanager
def _writer_of_maps(user: int, group: int) -> Iterator[Callable[[], None]]:
    """Says who we are inside. Root may name a user that owns nothing: a helper outside does it."""
    if user != 0:
        yield lambda: _write_maps("self", (user,), (group,))
        return
    with contextlib.suppress(OSError):
        os.setgroups([])
    mine = os.getpid()
    awake, wake = os.pipe()
    helper = os.fork()
    if helper == 0:
        code = 1
        try:
            os.close(wake)
            if os.read(awake, 1):
                _write_maps(str(mine), (*_NOBODY, user), (*_NOBODY, group))
                code = 0
        finally:
            os._exit(code)
    os.close(awake)

    def write() -> None:
        os.write(wake, b"x")

    try:
        yield write
    finally:
        os.close(wake)
        status = os.waitpid(helper, 0)[1]
    if status:
        raise Unconfined(0, "the users of the namespace could not be mapped")


def _write_maps(process: str, users: Sequence[int], groups: Sequence[int]) -> None:
    """The first id that this system accepts."""
    with contextlib.suppress(OSError):
        Path("/proc", process, "setgroups").write_text("deny")
    for name, ids in (("uid_map", users), ("gid_map", groups)):
        for outside in ids:
            try:
                Path("/proc", process, name).write_text(f"{INSIDE} {outside} 1")
                break
            except OSError as error:
                failed = error
        else:
            raise Unconfined(failed.errno, f"{name}: {failed.strerror}")


def only(visible: Iterable[Path], hidden: Iterable[Path], room: Path) -> None:
    """A root with these paths alone, read-only, `hidden` ones empty, and `room` to mount on."""
    _do(
        "private mounts", _libc().mount,
        b"none", b"/", None, ctypes.c_ulong(_REC | _PRIVATE), None,
    )  # fmt: skip
    visible = list(visible)
    trees = [(path, path.is_dir(), _tree(path)) for path in _outermost(visible)]
    links = [(path, os.readlink(path)) for path in visible if path.is_symlink()]
    # Everything is open: from here on as the user inside, who alone may make files in it.
    os.setresgid(INSIDE, INSIDE, INSIDE)
    os.setresuid(INSIDE, INSIDE, INSIDE)
    base = "/tmp"
    _mount("tmpfs", base, _NOSUID | _NODEV, f"size=1m,mode=755,uid={INSIDE},gid={INSIDE}")
    for path, is_folder, tree in trees:
        place = Path(base + str(path))
        if is_folder:
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        _syscall(f"mount {path}", _MOVE_MOUNT, tree, b"", -100, str(place).encode(), 4)
        os.close(tree)
    for path, target in links:
        with contextlib.suppress(FileExistsError):
            os.symlink(target, base + str(path))
    for path in hidden:
        place = Path(base + str(path))
        if place.is_dir():
            _mount("tmpfs", str(place), _NOSUID | _NODEV | 1, "size=4k,mode=755")
    os.makedirs(base + str(room), exist_ok=True)
    os.chdir(base)
    _do("pivot_root", _libc().pivot_root, b".", b".")
    _do("leave the old root", _libc().umount2, b".", _DETACH)
    os.chdir("/")
    _set_attributes(os.open("/", os.O_PATH | os.O_DIRECTORY), 0)


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Without those that lie within another, or do not exist, or are links."""
    found = sorted({p for p in paths if p.exists() and not p.is_symlink()})
    return [p for p in found if not any(other in p.parents for other in found)]


def _tree(path: Path) -> int:
    tree = _syscall(
        f"open {path}", _OPEN_TREE, -100, str(path).encode(), _CLONE | _RECURSIVE | os.O_CLOEXEC
    )
    _set_attributes(tree, _RECURSIVE)
    return tree


def _set_attributes(mount: int, flags: int) -> None:
    """Read-only, in a way that keeps what the machine has already forbidden."""
    attributes = _Attributes(set=_READ_ONLY | _NO_SETUID)
    size = ctypes.sizeof(attributes)
    _syscall(
        "read-only", _MOUNT_SETATTR, mount, b"", _EMPTY_PATH | flags,
        ctypes.byref(attributes), size,
    )  # fmt: skip


def apart() -> Callable[[], None]:
    """The next child begins a process namespace; what is returned undoes it for the one after."""
    home = os.pidfd_open(os.getpid())
    unshare(NEW_PROCESSES)

    def back() -> None:
        _do("setns", _libc().setns, home, NEW_PROCESSES)
        os.close(home)

    return back


def own_folder(room: Path, size: int) -> None:
    """A new, empty, small file system at `room`, seen by this process alone; go there."""
    unshare(NEW_MOUNT)
    options = f"size={size},nr_inodes=1000,mode=700,uid={INSIDE},gid={INSIDE}"
    _mount("tmpfs", str(room), _NOSUID | _NODEV, options)
    os.chdir(room)


def powerless() -> None:
    """Without capabilities, and no way to gain any."""
    libc = _libc()
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _do("capset", libc.capset, header, (ctypes.c_uint32 * 6)())
    _do("no new privileges", libc.prctl, _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _do("not dumpable", libc.prctl, _NOT_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    _do("death signal", _libc().prctl, _DEATH_SIGNAL, 9, 0, 0, 0)
