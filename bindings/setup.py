"""Builds the Go parts of the package: the extension, by gopy, and the command qbb.

Needs Go, a C compiler and the headers of the Python that runs it. What is built is for that
Python; the wheel needs none of them. Two builds of one commit are the same to the byte, in any folder.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
MODULE = "github.com/qbb-sim/qbb"
GOPY = "github.com/go-python/gopy"

# gopy 0.5.0 writes types and functions in the order of Go's maps, which is another one each time, and the linker's
# id is of its arguments too, among them a temporary file.
CHANGES = {
    "bind/package.go": {
        "for sname, s := range structs {": "for _, sname := range inOrder(structs) {\n\t\ts := structs[sname]",
        "for name, fct := range funcs {": "for _, name := range inOrder(funcs) {\n\t\t\tfct := funcs[name]",
        "for _, fct := range funcs {": "for _, name := range inOrder(funcs) {\n\t\tfct := funcs[name]",
    },
    "cmd_build.go": {'append(finalLdFlags, "-s", "-w")': 'append(finalLdFlags, "-s", "-w", "-buildid=")'},
}
IN_ORDER_GO = """package bind

import (
	"maps"
	"slices"
)

func inOrder[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
"""


def go(folder, *args, **env):
    """Runs the go command in a folder, whose module it builds."""
    subprocess.run(["go", *args], cwd=folder, check=True, env={**os.environ, **env})


def build_gopy(work, tools):
    """Builds gopy, with changes that make what it builds the same each time, and goimports, which it calls."""
    found = subprocess.run(["go", "list", "-m", "-f", "{{.Dir}}", GOPY], cwd=HERE, check=True, capture_output=True, text=True)
    source = work / "source"
    shutil.copytree(found.stdout.strip(), source, copy_function=shutil.copyfile)
    for folder in [source, *source.rglob("*/")]:  # those of Go's cache are read only
        folder.chmod(0o755)
    for name, changes in CHANGES.items():
        text = (source / name).read_text()
        for was, is_now in changes.items():
            if was not in text:
                sys.exit(f"qbb: {GOPY}/{name} is not that of 0.5.0: it lacks {was!r}")
            text = text.replace(was, is_now)
        (source / name).write_text(text)
    (source / "bind" / "in_order.go").write_text(IN_ORDER_GO)
    replaced = work / "gopy.mod"
    replaced.write_text((HERE / "go.mod").read_text() + f"\nreplace {GOPY} => ./{source.relative_to(HERE).as_posix()}\n")
    shutil.copyfile(HERE / "go.sum", work / "gopy.sum")
    go(HERE, "build", f"-modfile={replaced}", "-o", f"{tools}{os.sep}", GOPY, "golang.org/x/tools/cmd/goimports")


class BuildGo(build_ext):
    """Builds the extension and the command beside it."""

    def build_extension(self, ext):
        if not shutil.which("go"):
            sys.exit("qbb: building from source needs Go, see https://go.dev/doc/install; a wheel needs none")
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
        shutil.rmtree(work, ignore_errors=True)
        out.mkdir(parents=True)
        build_gopy(work, tools)
        python = Path(sys.executable)
        # Without libpython among the needed libraries the extension loads in any Python of the
        # same minor version. Its flags contain one that cgo does not know. What it writes holds its
        # arguments, which are therefore without the folders of this machine.
        subprocess.run(
            [tools / "gopy", "build", "-no-make", f"-vm={python.name}", "-dynamic-link=true", "-symbols=false",
             f"-output={out.relative_to(HERE)}", f"{MODULE}/bindings/native"],
            cwd=HERE, check=True, env={
                **os.environ, "PATH": os.pathsep.join([str(tools), str(python.parent), os.environ["PATH"]]),
                "CGO_LDFLAGS_ALLOW": "-fwrapv|-Wl.*", "GOFLAGS": f"{os.environ.get('GOFLAGS', '')} -trimpath",
            },
        )
        for file in [*out.glob("_native*.so"), *(out / name for name in ("__init__.py", "go.py", "native.py"))]:
            shutil.copy2(file, package)


setup(ext_modules=[Extension("qbb._native._native", sources=[])], cmdclass={"build_ext": BuildGo})
