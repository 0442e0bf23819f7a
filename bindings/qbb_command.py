"""The command qbb, which comes with the package. It is apart so that it starts without numpy."""

import os
import subprocess
import sys
from pathlib import Path


def main() -> None:
    program = str(Path(__file__).resolve().parent / "qbb" / "_bin" / "qbb")
    if os.name == "posix":
        os.execv(program, ["qbb", *sys.argv[1:]])
    sys.exit(subprocess.call([program, *sys.argv[1:]]))
