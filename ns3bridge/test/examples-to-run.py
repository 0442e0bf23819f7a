#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# The programs that ns-3's test.py runs besides the test suites: (name, do run, do run under valgrind).
cpp_examples = [
    ("qbb-first", "True", "False"),
    ("qbb-mixed", "True", "False"),
    ("qbb-adapter", "True", "False"),
]

python_examples = []
