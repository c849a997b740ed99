"""TOML as Python reads it from 3.11 on; for 3.10 pytest brings the same reader."""

import sys

if sys.version_info >= (3, 11):
    from tomllib import loads
else:
    from tomli import loads

__all__ = ["loads"]
