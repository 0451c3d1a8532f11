"""The library of the namespace `geometry`, which byname loads when a name in it is looked up."""

from pathlib import Path

library = Path(__file__).parent / "libgeometry.so"
