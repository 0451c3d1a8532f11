"""Compresses or restores a file: `compress.py PLUGIN compress FILE FILE.zst 19`. Nothing here knows libzstd."""

import sys
import traceback
from pathlib import Path

import byname


def run(plugin, action, source, target, level=None):
    byname.load(plugin)
    function = byname.get(f"zstd.{action}")
    data = Path(source).read_bytes()
    output = function(data) if level is None else function(data, level=int(level))
    Path(target).write_bytes(output)
    percent = 100 * len(output) / max(len(data), 1)
    print(f"  Python  {action:11} {level or '':3} {len(data):10} -> {len(output):10} bytes {percent:7.1f} %")


if __name__ == "__main__":
    if not 5 <= len(sys.argv) <= 6:
        sys.exit(f"usage: {sys.argv[0]} PLUGIN compress|decompress INPUT OUTPUT [LEVEL]")
    try:
        run(*sys.argv[1:])
    except Exception as error:
        sys.exit("".join(traceback.format_exception_only(error)).rstrip())
