"""Builds wheel and source distribution with nothing but the standard library: `python gradus_build.py [FOLDER]`, or as a backend of pip.

Both hold the Python package and the built program of `dist`, of which they take what the worker needs: installing compiles nothing, from
either of them.
"""

from __future__ import annotations

import base64
import calendar
import gzip
import hashlib
import io
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
PACKAGE = HERE / "src" / "gradus"
CARRIED = PACKAGE / "program"
"""The built program, in a source distribution."""
REPOSITORY = HERE.parent
"""Where it is in a clone."""
TIME = (2020, 1, 1, 0, 0, 0)
"""The same files make the same wheel."""
_SECONDS = calendar.timegm(TIME)

PROGRAM = [
    "package.json",
    "LICENSE",
    "bin/*",
    "dist/THIRD-PARTY.txt",
    "dist/bin/*",
    "dist/node/output/drawing.js",
]
"""What of the repository goes into the wheel; the browser app, the library and the documentation do not."""

COMPONENTS = ["dist/app/report.js.gz", "dist/app/report.css"]
"""What answers to readers inside reports; a checkout whose browser app is not built has none, and its reports stand still."""


def _program() -> Path:
    return CARRIED if (CARRIED / "package.json").exists() else REPOSITORY


def _version() -> str:
    return str(json.loads((_program() / "package.json").read_text(encoding="utf-8"))["version"])


def _project() -> dict[str, str]:
    """The fields of pyproject.toml that the metadata repeats; Python 3.10 has no reader for it."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    section = text[text.index("[project]") :]
    fields = dict(re.findall(r'^([\w-]+) = "(.*)"$', section, re.MULTILINE))
    lists = re.findall(r"^(\w+) = \[(.*?)\]", section, re.MULTILINE | re.DOTALL)
    return {**fields, **{name: "\n".join(re.findall(r'"([^"]*)"', content)) for name, content in lists}}


def _metadata() -> str:
    project = _project()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {_version()}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'].splitlines())}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        *(f"Classifier: {one}" for one in project["classifiers"].splitlines()),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {one}" for one in project["dependencies"].splitlines()),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


WHEEL = "Wheel-Version: 1.0\nGenerator: gradus_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _files() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_dir() or "__pycache__" in path.parts or CARRIED in path.parents:
            continue
        content = path.read_bytes()
        if path.name == "_version.py":
            content = re.sub(rb'"[^"]*"$', f'"{_version()}"'.encode(), content.rstrip()) + b"\n"
        yield f"gradus/{path.relative_to(PACKAGE).as_posix()}", content
    program = _program()
    for pattern in PROGRAM + COMPONENTS:
        found = [path for path in sorted(program.glob(pattern)) if path.is_file()]
        if not found and pattern not in COMPONENTS:
            raise SystemExit(f"{pattern} is not there; run `npm run build` in the repository first")
        for path in found:
            content = path.read_bytes()
            if path == program / "package.json":
                # the rest is about npm
                kept = {name: value for name, value in json.loads(content).items() if name in ("name", "version", "license", "type")}
                content = json.dumps(kept).encode()
            yield f"gradus/program/{path.relative_to(program).as_posix()}", content


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Writes the wheel, and gives its name."""
    name = f"gradus-{_version()}-py3-none-any.whl"
    info = f"gradus-{_version()}.dist-info"
    folder = Path(wheel_directory)
    folder.mkdir(parents=True, exist_ok=True)
    record: list[str] = []
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:

        def add(path: str, content: bytes) -> None:
            entry = zipfile.ZipInfo(path, TIME)
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")

        for path, content in _files():
            add(path, content)
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/WHEEL", WHEEL.encode())
        add(f"{info}/licenses/LICENSE", (_program() / "LICENSE").read_bytes())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", TIME), "\n".join(record) + "\n", zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Writes the source distribution, with the built program inside so that it installs without Node and npm, and gives its name."""
    base = f"gradus-{_version()}"
    folder = Path(sdist_directory)
    folder.mkdir(parents=True, exist_ok=True)
    own = [(name, (HERE / name).read_bytes()) for name in ("pyproject.toml", "README.md", "backend/gradus_build.py")]
    files = [
        *own,
        ("LICENSE", (_program() / "LICENSE").read_bytes()),
        ("PKG-INFO", _metadata().encode()),
        *((f"src/{path}", content) for path, content in _files()),
    ]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files:
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), 0o644, _SECONDS
            archive.addfile(entry, io.BytesIO(content))
    name = f"{base}.tar.gz"
    # the time of packing would make every file another one
    (folder / name).write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))
    return name


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else str(HERE / "dist")
    for build in (build_wheel, build_sdist):
        print(Path(target) / build(target))
