"""The command that comes along."""

from __future__ import annotations

import qbb


def test_version(command):
    assert command("version").startswith(f"qbb {qbb.__version__.split('+')[0]}")


def test_mistakes_keep_their_exit_code(command):
    command("run", "nowhere.yaml", code=2)
    assert "compare the flow completion times" in command("help")
