"""Runs the tests of the package with nothing but the standard library: python run.py [NAMES].

Tests that need a library are skipped by its name where it cannot be imported, and the end of the output says which those were.
"""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    sys.path.insert(0, str(HERE))
    loader = unittest.TestLoader()
    names = sys.argv[1:]
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE))
    result = unittest.TextTestRunner(verbosity=1, buffer=False).run(suite)
    skipped = Counter(reason for _, reason in result.skipped)
    for reason, count in sorted(skipped.items()):
        print(f"skipped {count} {'test' if count == 1 else 'tests'}: {reason}")
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
