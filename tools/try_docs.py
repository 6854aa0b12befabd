"""Follow hosting.md, backups.md and upgrading.md on a bare Debian 12 with systemd, by the commands that stand there.

As root on Debian or Ubuntu with debootstrap and systemd-container: python3 tools/try_docs.py. It takes some minutes
and ports 80, 443 and 8000. Not tried is a certificate from outside; Caddy makes one of its own.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(tempfile.gettempdir()) / "clubscore-debian"
MIRROR = "http://deb.debian.org/debian"
# How this machine reaches the registries of packages.
OF_THIS_MACHINE = ("/etc/pip.conf", "/etc/resolv.conf")
CERTIFICATES = Path("/usr/local/share/ca-certificates")
PATH_OF_FILE = re.compile(r"`(/etc/\S+)`:\n\Z")
# What only a real name on the internet makes possible.
LEFT_OUT = ("sudo certbot",)


class Failure(Exception):
    """What did not work, as one sentence."""


def say(words: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {words}", flush=True)


# The documents


def section(document: str, heading: str) -> str:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    found = re.search(rf"^(#+) {re.escape(heading)}$(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise Failure(f"{document} has no section “{heading}”.")
    return found[2]


def commands(text: str) -> Iterator[str]:
    """Yield a section's commands in order; a block that is a file's text becomes a command that writes it."""
    for before, block in re.findall(r"([^\n]+\n)\n((?:(?:    .*)?\n)+)", text):
        lines = textwrap.dedent(block).strip("\n")
        if path := PATH_OF_FILE.search(before):
            yield f"sudo tee {path[1]} > /dev/null <<'WRITTEN'\n{lines}\nWRITTEN"
        else:
            yield "\n".join(line for line in lines.splitlines() if not line.startswith(LEFT_OUT))


# The machine


class Machine:
    """A bare Debian in a folder, started with its own systemd, and its administrator pat."""

    def __init__(self, folder: Path) -> None:
        self.base, self.root = folder / "base", folder / "root"
        self.leader = 0

    def make(self) -> None:
        if not (self.base / "etc/made").exists():
            shutil.rmtree(self.base, ignore_errors=True)
            say("A bare Debian 12 ...")
            packages = "ca-certificates,sudo,systemd,systemd-sysv,dbus,curl"
            with (FOLDER / "debootstrap.txt").open("w") as log:
                subprocess.run(
                    ["debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", self.base, MIRROR],
                    check=True,
                    stdout=log,
                )
            (self.base / "etc/made").touch()
        subprocess.run(["rm", "-rf", self.root], check=True)
        subprocess.run(["cp", "-a", self.base, self.root], check=True)
        for path in OF_THIS_MACHINE:
            if Path(path).exists():
                shutil.copyfile(path, f"{self.root}{path}")
        shutil.copytree(CERTIFICATES, f"{self.root}{CERTIFICATES}", dirs_exist_ok=True)
        (self.root / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n')
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost scores.example {socket.gethostname()}\n")
        # As somebody has it who fetched it.
        subprocess.run(["git", "clone", "--quiet", "--bare", ROOT, self.root / "srv/clubscore.git"], check=True)
        self.git("branch", "--force", "main", "HEAD")
        self.git("symbolic-ref", "HEAD", "refs/heads/main")
        (self.root / "etc/gitconfig").write_text("[safe]\n    directory = /srv/clubscore.git\n")

    def git(self, *arguments: str) -> str:
        """Run git in the repository that the machine fetches from; return what it printed."""
        pat = ("-c", "user.name=pat", "-c", "user.email=pat@club.example")
        command = ["git", "-C", str(self.root / "srv/clubscore.git"), *pat, *arguments]
        return subprocess.check_output(command, text=True).strip()

    @contextmanager
    def started(self) -> Iterator[None]:
        log = (FOLDER / "console.txt").open("w")
        command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot"]
        command += [f"--directory={self.root}"]
        nspawn = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            self.leader = self._leader(nspawn)
            self.run("update-ca-certificates >/dev/null 2>&1; useradd --create-home --groups sudo pat")
            self.run("echo 'pat ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/pat; apt-get -qq update")
            yield
        finally:
            nspawn.terminate()
            nspawn.wait(60)
            log.close()

    def _leader(self, nspawn: subprocess.Popen[bytes]) -> int:
        give_up = time.monotonic() + 60
        while time.monotonic() < give_up and nspawn.poll() is None:
            time.sleep(1)
            children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text().split()
            for self.leader in map(int, children):
                if "running" in self.run("systemctl is-system-running --wait || true", checked=False):
                    return self.leader
        raise Failure(f"Its systemd does not start: {FOLDER / 'console.txt'} says why.")

    def run(self, script: str, user: str = "root", folder: str = "/", checked: bool = True) -> str:
        """Run a script as one types it; return what it printed. Failure if a command fails."""
        inside = ["runuser", "-u", user, "--", "bash", "-exc", f"cd {folder}\n{script}"]
        path = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        done = subprocess.run(
            [
                "nsenter",
                "--target",
                str(self.leader),
                "--mount",
                "--uts",
                "--ipc",
                "--pid",
                "--root",
                "--wdns=/",
                *inside,
            ],
            env={**path, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        with (FOLDER / "said.txt").open("a") as log:
            log.write(done.stdout)
        if checked and done.returncode:
            raise Failure(f"A command ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def follow(self, document: str, heading: str, said: dict[str, str] | None = None) -> str:
        """Type the commands of a document's section as the administrator; `said` is what is typed otherwise."""
        say(f"{document}, “{heading}” ...")
        script = "\n".join(commands(section(document, heading)))
        for words, typed in (said or {}).items():
            if words not in script:
                raise Failure(f"{document} no longer says “{words}”.")
            script = script.replace(words, typed)
        return self.run(script, "pat")

    def wants(self, command: str, words: str) -> None:
        """Wait until a command prints some words."""
        give_up = time.monotonic() + 120
        while words not in (printed := self.run(command, checked=False)):
            if time.monotonic() > give_up:
                raise Failure(f"{command} does not print “{words}” but:\n{printed[-3000:]}")
            time.sleep(1)


# What is tried

CODE = "curl -sk -o /dev/null -w '%{http_code} %{redirect_url}'"
READY = f"{CODE} http://127.0.0.1:8000/readyz"
PAGE = f"{CODE} https://scores.example/sign-in/"


def server(machine: Machine) -> None:
    # Nobody outside vouches for this name, so Caddy does.
    own = {"ADDRESS": "file:///srv/clubscore.git", "    reverse_proxy": "    tls internal\n    reverse_proxy"}
    made = machine.follow("hosting.md", "A small server with TLS", own)
    if "password" not in made:
        raise Failure(f"make_club printed no password:\n{made[-3000:]}")
    machine.wants(PAGE, "200")
    say(f"https answers. {machine.run('systemd-analyze security clubscore --no-pager').strip().splitlines()[-1]}")
    say("The service is killed, and comes back ...")
    machine.run("systemctl kill --signal KILL clubscore")
    machine.wants("systemctl show --property NRestarts clubscore", "NRestarts=1")
    machine.wants(READY, "200")


def every_night(machine: Machine) -> None:
    machine.follow("backups.md", "Every night")
    machine.run("systemctl start clubscore-backup")
    machine.wants("ls /srv/clubscore/var/backups", "-backup.sqlite3")
    machine.wants(f"{READY}?backup", "200")


def upgrade_and_back(machine: Machine) -> None:
    version = "/srv/clubscore/app/run --version"
    older = machine.git("rev-parse", "--short=8", "main")
    newer = machine.git("commit-tree", "-p", "main", "-m", "Newer", "main^{tree}")
    machine.git("update-ref", "refs/heads/main", newer)
    machine.follow("upgrading.md", "On a server")
    machine.wants(READY, "200")
    machine.wants(version, newer[:8])
    date = "$(sudo ls /srv/clubscore/var/backups | grep before-upgrade | tail -1 | cut -d- -f1,2)"
    machine.follow("upgrading.md", "Back on a server", {"…": date, "1a2b3c4d": older})
    machine.wants(READY, "200")
    machine.wants(version, older)


def with_postgresql(machine: Machine) -> None:
    machine.run("systemctl stop clubscore")
    machine.follow("hosting.md", "With PostgreSQL")
    machine.run("systemctl start clubscore")
    machine.wants(READY, "200")
    machine.run("systemctl start clubscore-backup")
    machine.wants("ls /srv/clubscore/var/backups", ".dump")


def with_nginx(machine: Machine) -> None:
    machine.follow("hosting.md", "With nginx")
    machine.wants(f"{CODE} http://scores.example/", "301 https://scores.example/")
    machine.wants("curl -s -o /dev/null http://127.0.0.1/ || echo $?", "52")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.parse_args()
    missing = [name for name in ("debootstrap", "systemd-nspawn", "git") if not shutil.which(name)]
    if missing or os.geteuid():
        print(f"This needs {', '.join(missing) or 'root'}.")
        return 1
    FOLDER.mkdir(exist_ok=True)
    machine = Machine(FOLDER)
    machine.make()
    try:
        with machine.started():
            for tried in (server, every_night, upgrade_and_back, with_postgresql, with_nginx):
                tried(machine)
    except Failure as failure:
        print(failure)
        return 1
    print("The documents lead to a working site.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
