"""`python -m supple`: the command `supple`."""

import sys

from ._supple import command


def main() -> int:
    """Runs the command on the arguments of the program; gives its exit status."""
    return command(["supple", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
