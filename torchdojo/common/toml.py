"""Read TOML: with Python's own reader from 3.11 on, and on 3.10 with the same reader that pytest installs."""

import sys

if sys.version_info >= (3, 11):
    from tomllib import loads
else:
    from tomli import loads

__all__ = ["loads"]
