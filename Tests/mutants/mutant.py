#!/usr/bin/env python3
"""A service with one mutation: `mutant.py SERVICE NAME`, with BILLFOLD_BIN the directory of the executables. See mutations.py."""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1] / "process")]

from middleman import main  # noqa: E402

from contracts import effects  # noqa: E402
from mutations import all_of  # noqa: E402


def named(service, name):
    return next(mutation for mutation in all_of(service, effects(service)) if mutation.name == name)


if __name__ == "__main__":
    main(sys.argv[1], named(*sys.argv[1:]))
