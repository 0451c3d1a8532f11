"""What the plugin registered, what its errors say, and what is left when it is unloaded: `listing.py PLUGIN`."""

import code
import sys
import traceback

import byname

ERRORS = """
zstd.compress("text")
zstd.compress()
zstd.compress(b"data", levl=3)
zstd.compress("text", "three")
zstd.compress(b"data", 23)
zstd.decompress(b"no frame")
zstd.decompress(zstd.compress(b"data")[:-1])
zstd.Decompressor.write(zstd.Compressor(), b"data")
byname.get("zstd.compres")
zstd.compres
"""

STREAM = """
compressor = zstd.Compressor(level=19)
compressor
packed = zstd.Compressor.write(compressor, b"spam " * 100_000)
packed += zstd.Compressor.finish(compressor, b"and eggs")
len(packed) < 1000, len(zstd.decompress(packed))
"""

UNLOAD = """
compress = byname.get("zstd.compress")
module.unload()
byname.names("zstd")
compress(b"data")
del compressor
byname.collect()
module = byname.load(plugin)
zstd.decompress(compress(b"data"))
"""


class Session(code.InteractiveConsole):
    """Python's own prompt, fed with the lines of a text; of an error it shows what it says."""

    def showtraceback(self):
        print("".join(traceback.format_exception_only(sys.exc_info()[1])).rstrip())

    def run(self, heading, text):
        print(f"\n{heading}\n")
        for line in text.strip().splitlines():
            print(f">>> {line}")
            self.push(line)


def main(plugin):
    module = byname.load(plugin)
    for name in module.names():
        function = byname.get(name)
        print(f"{function.schema}\n    {function.__doc__}")
    session = Session({"byname": byname, "plugin": plugin, "module": module, "zstd": byname.ns.zstd})
    session.run("What errors say", ERRORS)
    session.run("A stream", STREAM)
    session.run("Unloading, with a stream that is still held, and loading again", UNLOAD)


if __name__ == "__main__":
    main(sys.argv[1])
