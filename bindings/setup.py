"""Builds the Go parts of the package: the extension, by gopy, and the command qbb.

Needs Go, a C compiler and the headers of the Python that runs it. What is built is for that
Python; the wheel needs none of them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
MODULE = "github.com/qbb-sim/qbb"


def go(folder, *args, **env):
    """Runs the go command in a folder, whose module it builds."""
    if not shutil.which("go"):
        sys.exit("qbb: building from source needs Go, see https://go.dev/doc/install; a wheel needs none")
    subprocess.run(["go", *args], cwd=folder, check=True, env={**os.environ, **env})


class BuildGo(build_ext):
    """Builds the extension and the command beside it."""

    def build_extension(self, ext):
        if not (HERE.parent / "cmd" / "qbb").is_dir():
            sys.exit("qbb: build from the folder bindings of the source tree")
        package = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        package.mkdir(parents=True, exist_ok=True)
        self.build_native(package)
        command = package.parent / "_bin" / "qbb"
        command.parent.mkdir(exist_ok=True)
        go(HERE.parent, "build", "-trimpath", "-ldflags=-s -w", "-o", str(command), f"{MODULE}/cmd/qbb")

    def build_native(self, package):
        """Binds the Go package native. gopy wants to work inside a module that requires it."""
        work = HERE / "build" / "gopy"
        tools, out = work / "bin", work / "native"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        go(HERE, "build", "-o", f"{tools}{os.sep}", "github.com/go-python/gopy", "golang.org/x/tools/cmd/goimports")
        # Without libpython among the needed libraries the extension loads in any Python of the
        # same minor version. Its flags contain one that cgo does not know.
        go(
            HERE, "tool", "gopy", "build", "-no-make", f"-vm={sys.executable}", "-dynamic-link=true", "-symbols=false",
            f"-output={out}", f"{MODULE}/bindings/native",
            PATH=f"{tools}{os.pathsep}{os.environ['PATH']}", CGO_LDFLAGS_ALLOW="-fwrapv|-Wl.*",
        )
        for file in [*out.glob("_native*.so"), *(out / name for name in ("__init__.py", "go.py", "native.py"))]:
            shutil.copy2(file, package)


setup(ext_modules=[Extension("qbb._native._native", sources=[])], cmdclass={"build_ext": BuildGo})
