#!/usr/bin/env python3
"""Run a command with every thread of it and of its children so many times slower: slowed.py 4 COMMAND...

Chromium's own throttle (Emulation.setCPUThrottlingRate) slows a page's main thread alone: a worker, and so the rules
on the tablet, stay at full speed. Here each thread has a cgroup of its own with a part of a processor, in slices of a
millisecond. Needs root and the first version of cgroups (or a writable cpu controller at CGROUP).
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

CGROUP = Path(os.environ.get("CGROUP", "/sys/fs/cgroup/cpu"))
SLICE = 1000  # microseconds, the least that a quota can be
LOOK = 0.02  # seconds between two looks for new threads


def family(pid: int) -> list[int]:
    """The process and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                parent = int(Path(entry.path, "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def slow_down(pid: int, rate: float, group: Path, done: threading.Event) -> None:
    seen: set[int] = set()
    while not done.is_set():
        for process in family(pid):
            try:
                threads = [int(name) for name in os.listdir(f"/proc/{process}/task")]
            except OSError:
                continue
            for thread in threads:
                if thread in seen:
                    continue
                own = group / str(thread)
                try:
                    own.mkdir(exist_ok=True)
                    (own / "cpu.cfs_period_us").write_text(str(int(SLICE * rate)))
                    (own / "cpu.cfs_quota_us").write_text(str(SLICE))
                    (own / "tasks").write_text(str(thread))
                    seen.add(thread)
                except OSError:
                    continue
        time.sleep(LOOK)


def main() -> int:
    rate, command = float(sys.argv[1]), sys.argv[2:]
    group = CGROUP / f"slowed-{os.getpid()}"
    group.mkdir()
    done = threading.Event()
    # playwright speaks to the browser through descriptors 3 and 4.
    running = subprocess.Popen(command, close_fds=False)
    watcher = threading.Thread(target=slow_down, args=(running.pid, rate, group, done))
    watcher.start()
    try:
        return running.wait()
    finally:
        done.set()
        watcher.join()
        for own in group.iterdir():
            if own.is_dir():
                with contextlib.suppress(OSError):
                    own.rmdir()
        with contextlib.suppress(OSError):
            group.rmdir()


if __name__ == "__main__":
    sys.exit(main())
