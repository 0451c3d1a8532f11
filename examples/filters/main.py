"""A picture goes through a pipeline that a JSON file describes: its filters come from two plugins and a Python class.

usage: main.py IMAGE_PLUGIN LIGHT_PLUGIN [PICTURE.png [OUTPUT.png]]
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

import byname

here = Path(__file__).parent
image = byname.load(sys.argv[1]).image
byname.load(sys.argv[2])
filters = byname.Factory("image.filter")


@filters.product("Vignette")
class Vignette(filters.base):
    """Darker towards the corners."""

    def __init__(self, strength: float = 0.5):
        self.strength = strength

    def apply(self, image):
        pixels = np.asarray(image)
        y, x = (np.linspace(-1, 1, size) for size in pixels.shape[:2])
        light = 1 - self.strength * (y[:, None, None] ** 2 + x[None, :, None] ** 2) / 2
        return (pixels * light).astype(np.uint8)


print("filters:", ", ".join(filters))
pipeline = filters.create(json.loads((here / "pipeline.json").read_text()))

picture = image.read(sys.argv[3] if len(sys.argv) > 3 else str(here / "picture.png"))
result = image.Filter.apply(pipeline, picture)
with tempfile.TemporaryDirectory() as directory:
    path = sys.argv[4] if len(sys.argv) > 4 else f"{directory}/result.png"
    image.write(path, result)
    assert np.array_equal(image.read(path), result)
for name, pixels in ("before", np.asarray(picture)), ("after", np.asarray(result)):
    centre = pixels.shape[0] // 2, pixels.shape[1] // 2
    print(f"{name}: shape {pixels.shape}, corner {pixels[0, 0].tolist()}, centre {pixels[centre].tolist()}")

try:
    filters.create({"type": "Pipeline", "filters": [{"type": "Blurr"}, {"type": "Contrast"}]})
except ValueError as error:
    print(f"ValueError: {error}")
