"""Writes the colour maps of the explorer: `python scripts/make-colour-maps.py > web/src/plot/colour-maps.ts`.

viridis and magma are sampled from matplotlib, which publishes them under CC0, and so is cividis (Nunez, Anderton and Renslow, 2018), which looks the same to
people who don't see red and green apart. The others are made here: straight lines
through OKLab (Bjorn Ottosson's space, public domain), whose lightness grows evenly, so that they read well in grey and for
people who don't see red and green apart.
"""

import matplotlib

STOPS = 17


def from_linear(c: float) -> float:
    c = min(1.0, max(0.0, c))
    return 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055


def oklab(lightness: float, a: float, b: float) -> str:
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    rgb = (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )
    return "".join(f"{round(255 * from_linear(c)):02x}" for c in rgb)


def through(*points: tuple[float, float, float]) -> list[str]:
    colours = []
    for i in range(STOPS):
        at = i / (STOPS - 1) * (len(points) - 1)
        low = min(int(at), len(points) - 2)
        part = at - low
        colours.append(oklab(*(x + (y - x) * part for x, y in zip(points[low], points[low + 1]))))
    return colours


def sampled(name: str) -> list[str]:
    return [matplotlib.colors.to_hex(matplotlib.colormaps[name](i / (STOPS - 1)))[1:] for i in range(STOPS)]


MAPS = {
    "viridis": sampled("viridis"),
    "magma": sampled("magma"),
    "cividis": sampled("cividis"),
    "grey": through((0.2, 0, 0), (0.97, 0, 0)),
    "blue-red": through((0.34, -0.02, -0.13), (0.66, -0.05, -0.08), (0.96, 0, 0.005), (0.66, 0.12, 0.06), (0.36, 0.13, 0.06)),
}

print("// Written by scripts/make-colour-maps.py. viridis and magma: matplotlib, CC0; cividis: matplotlib.")
print("\n/** Colours of each map in equal steps, as hexadecimal red, green and blue. */")
print("export const COLOUR_MAPS: Readonly<Record<string, string>> = {")
for name, colours in MAPS.items():
    key = name if name.isidentifier() else f"'{name}'"
    print(f"  {key}:\n    '{' '.join(colours)}',")
print("}")
