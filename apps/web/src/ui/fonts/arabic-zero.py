"""Makes arabic-zero.woff2: the zero of Readex Pro's Arabic digits, larger. Needs Debian's python3-fonttools and python3-brotli.

/usr/bin/python3 apps/web/src/ui/fonts/arabic-zero.py \
  node_modules/@fontsource-variable/readex-pro/files/readex-pro-arabic-wght-normal.woff2 apps/web/src/ui/fonts/arabic-zero.woff2
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTFont

ZERO = 0x0660
SCALE = 1.75
# Space on both sides, in units of 1/1000 em, as the other digits have it.
MARGIN = 60

font = TTFont(sys.argv[1])
options = subset.Options()
options.layout_features = []
options.name_IDs = []
options.notdef_outline = False
options.drop_tables += ["GSUB", "GPOS", "GDEF", "STAT", "MVAR", "HVAR"]
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=[ZERO])
subsetter.subset(font)

name = font.getBestCmap()[ZERO]
glyph = font["glyf"][name]
points = glyph.coordinates
middle = (glyph.yMin + glyph.yMax) / 2
left = glyph.xMin
for index, (x, y) in enumerate(points):
    points[index] = (round(MARGIN + SCALE * (x - left)), round(middle + SCALE * (y - middle)))
glyph.recalcBounds(font["glyf"])
font["hmtx"][name] = (glyph.xMax + MARGIN, glyph.xMin)

# The outline's change with the weight grows with it; the last four points are those of the line, not of the outline.
for variation in font["gvar"].variations.get(name, []):
    outline = len(variation.coordinates) - 4
    variation.coordinates = [
        point if point is None or index >= outline else (round(point[0] * SCALE), round(point[1] * SCALE))
        for index, point in enumerate(variation.coordinates)
    ]

names = font["name"]
names.names = []
names.setName("Haris Arabic Zero", 1, 3, 1, 0x409)
names.setName("Derived from Readex Pro. SIL Open Font License 1.1", 13, 3, 1, 0x409)
for axis in font["fvar"].axes:
    axis.axisNameID = 1
font["fvar"].instances = []
font.flavor = "woff2"
font.save(sys.argv[2])
