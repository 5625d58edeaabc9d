"""Random grid sections of a grammar, as messages, and where ecCodes says their points are: `grib_grids.py JOB`. JOB is a file of JSON
with `seed` and `count`; prints JSON. The values of a message count its points in the order of the file. Where ecCodes 2.50 is known to
be wrong (see `defect`), what the standard says is worked out by PROJ. Needs: pip install eccodes numpy pyproj."""

import base64
import json
import os
import random
import sys
from fractions import Fraction
from math import ceil, floor

import eccodes as ec
import numpy as np
import pyproj

LAT1, LON1 = "latitudeOfFirstGridPointInDegrees", "longitudeOfFirstGridPointInDegrees"
LAT2, LON2 = "latitudeOfLastGridPointInDegrees", "longitudeOfLastGridPointInDegrees"
EDITIONS = {
    "regular_ll": (1, 2), "rotated_ll": (1, 2), "regular_gg": (1, 2), "rotated_gg": (1, 2), "reduced_gg": (1, 2), "reduced_rotated_gg": (1, 2),
    "reduced_ll": (1, 2), "mercator": (1, 2), "polar_stereographic": (1, 2), "lambert": (1, 2), "albers": (2,), "lambert_azimuthal_equal_area": (2,),
    "space_view": (2,), "healpix": (2,), "stretched_ll": (1, 2), "unstructured_grid": (2,),
}
EARTHS = {
    0: (6367470, 6367470), 1: (6371000, 6371000), 2: (6378160, 6356775), 3: (6378000, 6357000), 4: (6378137, 6356752.314),
    5: (6378137, 6356752.3142), 6: (6371229, 6371229), 7: (6377000, 6356000), 8: (6371200, 6371200), 9: (6377563.396, 6356256.909),
}
ON_MAPS = {"mercator", "polar_stereographic", "lambert", "albers", "lambert_azimuthal_equal_area"}
ELEMENTS = [
    *(f"{grid}, edition {edition}" for grid, editions in EDITIONS.items() for edition in editions),
    "i scans negatively", "j scans positively", "j points are consecutive", "alternate rows", "increments given", "increments not given", "wrong increments",
    "scanned against the last point", "area across 0", "area across 180", "around the earth", "inside one hemisphere", "angle of rotation", "bitmap",
    "octahedral rows", "rows of any length", "area of a reduced grid", "reduced grid around the earth from Greenwich", "reduced grid around the earth from elsewhere",
    "part of the parallels", "all parallels", "north", "south", "oblique", "equatorial", "pole in the grid", "tangent cone", "secant cone",
    "ring order", "nested order", "own basic angle", *(f"earth {code}" for code in EARTHS), "ecCodes is right", "PROJ instead of ecCodes",
]


class Document:
    """What is chosen for a message, and the elements of the grammar in it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.grid = self.random.choice([*EDITIONS, "lambert_azimuthal_equal_area", "healpix"])
        self.edition = self.random.choice(EDITIONS[self.grid])
        self.keys, self.elements = {}, [f"{self.grid}, edition {self.edition}"]
        self.pl = None
        self.i = self.j = self.c = self.a = 0
        self.angle = 0
        self.contradiction = False
        self.at_pole = False
        getattr(self, {"regular_ll": "latlon", "rotated_ll": "latlon", "stretched_ll": "latlon", "regular_gg": "gaussian", "rotated_gg": "gaussian",
                       "reduced_gg": "reduced", "reduced_rotated_gg": "reduced", "mercator": "map_mercator", "polar_stereographic": "map_polar", "lambert": "map_conic",
                       "albers": "map_conic", "lambert_azimuthal_equal_area": "map_azimuthal"}.get(self.grid, self.grid))()
        self.bitmap = self.choice("bitmap", 0.2)

    def choice(self, element, probability):
        chosen = self.random.random() < probability
        if chosen:
            self.elements.append(element)
        return int(chosen)

    def scanning(self):
        self.i, self.j = self.choice("i scans negatively", 0.3), self.choice("j scans positively", 0.5)
        self.c = self.choice("j points are consecutive", 0.25)
        self.a = self.choice("alternate rows", 0.25) if self.edition == 2 else 0
        self.keys |= {"iScansNegatively": self.i, "jScansPositively": self.j, "jPointsAreConsecutive": self.c}
        if self.edition == 2:
            self.keys["alternativeRowScanning"] = self.a

    def shape(self, x="Ni", y="Nj"):
        self.size = (self.random.randint(2, 10), self.random.randint(2, 7))
        self.keys |= {x: self.size[0], y: self.size[1]}

    def longitudes(self, count, own_step=None):
        """The first and the last longitude of so many columns."""
        extents = ["area across 0", "area across 180", "inside one hemisphere", "around the earth"]
        # Edition 1 has no steps of more than 65 degrees.
        extent = self.random.choice(extents[:3] if self.edition == 1 and count < 9 else extents)
        self.elements.append(extent)
        step = own_step or self.random.choice([1, 2.5, 0.25, 10, 0.123, 360 / 100])
        if extent == "around the earth":
            step = 360 / count
            first = self.random.choice([0, 180, 10.5])
        else:
            middle = {"area across 0": 0, "area across 180": 180, "inside one hemisphere": 90}[extent]
            first = middle - round(step * (count - 1) / 2)
        if self.i:
            first, step = first + step * (count - 1), -step
        wrap = self.random.choice([lambda degrees: degrees % 360, lambda degrees: degrees if -360 < degrees < 360 else degrees % 360])
        return wrap(round(first, 3)), wrap(round(first + step * (count - 1), 3)), abs(step)

    def rotate(self):
        self.pole = (-self.random.uniform(20, 90), self.random.uniform(-180, 180))
        self.pole = tuple(round(degrees, 3) for degrees in self.pole)
        self.angle = self.random.choice([15.0, -40.5]) if self.choice("angle of rotation", 0.3) else 0
        self.keys |= {"latitudeOfSouthernPoleInDegrees": self.pole[0], "longitudeOfSouthernPoleInDegrees": self.pole[1], "angleOfRotationInDegrees": self.angle}

    def latlon(self):
        self.scanning()
        self.shape()
        first, last, step = self.longitudes(self.size[0])
        row = self.random.choice([1, 2.5, 0.25, 5])
        south = self.random.choice([-60, -10, 0, 33.25])
        rows = (south, south + row * (self.size[1] - 1))
        if not self.j:
            rows = rows[::-1]
        self.keys |= {LAT1: rows[0], LAT2: rows[1], LON1: first, LON2: last}
        if self.choice("scanned against the last point", 0.08):
            self.keys |= {"jScansPositively": 1 - self.j}
            self.j, self.contradiction = 1 - self.j, True
        given = self.random.choice(["given", "given", "given", "not given", "wrong"])
        self.elements.append("wrong increments" if given == "wrong" else f"increments {given}")
        if given == "not given":
            self.keys |= {"ijDirectionIncrementGiven": 0} if self.edition == 1 else {"iDirectionIncrementGiven": 0, "jDirectionIncrementGiven": 0}
            self.missing = ["iDirectionIncrement", "jDirectionIncrement"]
        else:
            wrong = 1.5 if given == "wrong" else 1
            self.contradiction |= given == "wrong"
            self.keys |= {"iDirectionIncrementInDegrees": step * wrong, "jDirectionIncrementInDegrees": row * wrong}
        self.basic = self.edition == 2 and self.choice("own basic angle", 0.25)
        if self.grid == "rotated_ll":
            self.rotate()
        if self.grid == "stretched_ll":
            self.keys |= {"latitudeOfStretchingPoleInDegrees": 40, "longitudeOfStretchingPoleInDegrees": 10, "stretchingFactor": 2}

    def gaussian(self):
        self.scanning()
        order = self.random.choice([4, 6, 8, 16])
        rows = 2 * order if self.choice("all parallels", 0.3) else self.random.randint(2, order)
        if rows < 2 * order:
            self.elements.append("part of the parallels")
        start = self.random.randint(0, 2 * order - rows)
        latitudes = parallels(order)[start : start + rows]
        if self.j:
            latitudes = latitudes[::-1]
        self.size = (self.random.randint(2, 10), rows)
        first, last, step = self.longitudes(self.size[0])
        self.latitudes = latitudes
        self.keys |= {"Ni": self.size[0], "Nj": rows, "N": order, LAT1: latitudes[0], LAT2: latitudes[-1], LON1: first, LON2: last}
        # As in NCEP's flxf files: increments are not given.
        given = self.random.choice(["given", "not given"])
        self.elements.append(f"increments {given}")
        if given == "given":
            self.keys["iDirectionIncrementInDegrees"] = step
        else:
            self.keys |= {"ijDirectionIncrementGiven": 0} if self.edition == 1 else {"iDirectionIncrementGiven": 0}
        if self.grid == "rotated_gg":
            self.rotate()

    def reduced(self):
        order = self.random.choice([4, 6, 8])
        kind = self.random.choice(["octahedral rows", "rows of any length"])
        self.elements.append(kind)
        half = [20 + 4 * row for row in range(order)] if kind == "octahedral rows" else sorted(self.random.choices(range(6, 40), k=order))
        lengths = half + half[::-1]
        extent = self.random.choice(["area of a reduced grid", "reduced grid around the earth from Greenwich", "reduced grid around the earth from elsewhere"])
        self.elements.append(extent)
        start, end = 0, 2 * order
        longest = 360 / max(lengths)
        west, east = 0, 360 - longest
        if extent == "area of a reduced grid":
            start = self.random.randint(0, order)
            end = self.random.randint(start + 2, 2 * order)
            west = round(self.random.uniform(0, 359), 3)
            east = (west + round(self.random.uniform(60, 200), 3)) % 360
        elif extent.endswith("elsewhere"):
            west = round(longest * self.random.randint(1, max(lengths) - 1), 3)
            east = (west - longest) % 360
        east = floor(east * 1000) / 1000 if extent == "area of a reduced grid" else round(east, 3 if self.edition == 1 else 6)
        self.pl = lengths[start:end]
        latitudes = parallels(order)[start:end]
        self.keys |= {"N": order, "Nj": len(self.pl), LAT1: latitudes[0], LAT2: latitudes[-1], LON1: west, LON2: east}
        isGlobal = start == 0 and end == 2 * order and west == 0
        self.count = sum(self.pl) if isGlobal else points_of_area(self.pl, west, east)
        if self.grid == "reduced_rotated_gg":
            self.rotate()

    def reduced_ll(self):
        self.pl = [self.random.randint(4, 24) for _ in range(self.random.randint(3, 6))]
        step = self.random.choice([2.5, 10])
        if self.random.random() < 0.5:
            self.elements.append("around the earth")
            first, last = 0, 360 - 360 / max(self.pl)
        else:
            self.elements.append("inside one hemisphere")
            first, last = 20, 100
        self.keys |= {"Nj": len(self.pl), LAT1: 40, LAT2: 40 - step * (len(self.pl) - 1), LON1: first, LON2: last, "jDirectionIncrementInDegrees": step}
        self.count = sum(self.pl)

    def earth(self):
        if self.edition == 1:
            code = self.random.choice([0, 2])
            self.keys["earthIsOblate"] = int(code == 2)
        else:
            code = self.random.choice(list(EARTHS))
            self.keys["shapeOfTheEarth"] = code
            axes = EARTHS[code]
            if code == 1:
                self.keys |= {"scaleFactorOfRadiusOfSphericalEarth": 0, "scaledValueOfRadiusOfSphericalEarth": axes[0]}
            if code in (3, 7):
                unit = 1000 if code == 3 else 1
                self.keys |= {"scaleFactorOfEarthMajorAxis": 0, "scaledValueOfEarthMajorAxis": axes[0] // unit, "scaleFactorOfEarthMinorAxis": 0, "scaledValueOfEarthMinorAxis": axes[1] // unit}
        self.elements.append(f"earth {code}")
        self.axes = EARTHS[code]
        self.oblate = self.axes[0] != self.axes[1]

    def on_map(self, definition, first, steps=None, x="Nx", y="Ny", dx="DxInMetres", dy="DyInMetres"):
        self.scanning()
        self.earth()
        self.shape(x, y)
        self.steps = steps or (self.random.choice([100_000, 250_000]), self.random.choice([100_000, 150_000]))
        self.definition = f"{definition} +a={self.axes[0]} +b={self.axes[1]}"
        self.keys |= {dx: self.steps[0], dy: self.steps[1], LAT1: first[0], LON1: first[1] % 360}

    def map_mercator(self):
        truth = self.random.choice([0, 20, -15])
        west, south = self.random.choice([170, 355, 30]), self.random.choice([-20, 10, 35])
        self.on_map(f"+proj=merc +lat_ts={truth} +lon_0={west}", (south, west), None, "Ni", "Nj", "DiInMetres", "DjInMetres")
        self.elements.append("area across 180" if west == 170 else "area across 0" if west == 355 else "inside one hemisphere")
        self.keys["LaDInDegrees"] = truth
        columns, rows = self.size
        corner = self.map_point(columns - 1, rows - 1)
        self.keys |= {LAT2: round(corner[0], 6 if self.edition == 2 else 3), LON2: round(corner[1] % 360, 6 if self.edition == 2 else 3)}
        if self.edition == 2 and self.choice("scanned against the last point", 0.1):
            self.contradiction = True
            self.keys["jScansPositively"] = 1 - self.j
        elif self.edition == 2 and self.choice("wrong increments", 0.1):
            self.contradiction = True
            self.keys["DiInMetres"] = self.steps[0] * 2

    def map_polar(self):
        side = self.random.choice(["north", "south"])
        self.elements.append(side)
        sign = 1 if side == "north" else -1
        truth = 60 if self.edition == 1 else self.random.choice([60, 90, 70])
        centre = self.random.choice([0, 10, 249, -45])
        self.on_map(f"+proj=stere +lat_0={90 * sign} +lat_ts={truth * sign} +lon_0={centre}", (sign * 55, centre + self.random.choice([-30, 20, 100])))
        self.keys |= {"projectionCentreFlag": 0 if sign > 0 else 128, "orientationOfTheGridInDegrees": centre % 360}
        if self.edition == 2:
            self.keys["LaDInDegrees"] = truth * sign

    def map_conic(self):
        kind, side = self.random.choice(["tangent cone", "secant cone"]), self.random.choice(["north", "south"])
        self.elements += [kind, side]
        sign = 1 if side == "north" else -1
        first, second = (46.5, 46.5) if kind == "tangent cone" else (30, 60)
        centre = self.random.choice([2, 262.5, 180])
        projection = "lcc" if self.grid == "lambert" else "aea"
        # Round the reference point, so that no reading of the scanning mode is absurd.
        self.on_map(f"+proj={projection} +lat_1={first * sign} +lat_2={second * sign} +lat_0={46.5 * sign} +lon_0={centre}", (sign * 46.5, centre))
        self.keys |= {"LoVInDegrees": centre, "Latin1InDegrees": first * sign, "Latin2InDegrees": second * sign}
        self.keys["LaDInDegrees"] = 46.5 * sign
        if self.edition == 1:
            self.keys["projectionCentreFlag"] = 0 if sign > 0 else 128
            self.keys.pop("LaDInDegrees")

    def map_azimuthal(self):
        aspect = self.random.choice(["north", "south", "oblique", "equatorial"])
        self.elements.append(aspect)
        centre = self.random.choice([0, 10, 250])
        standard = {"north": 90, "south": -90, "oblique": 52, "equatorial": 0}[aspect]
        offset = self.random.choice([-12, 8, 15])
        first = (standard - np.sign(standard or 1) * abs(offset), centre + offset)
        self.on_map(f"+proj=laea +lat_0={standard} +lon_0={centre}", first, None, "Nx", "Ny", "xDirectionGridLengthInMetres", "yDirectionGridLengthInMetres")
        if standard in (90, -90) and self.choice("pole in the grid", 0.3):
            # The pole is the first point.
            self.keys |= {LAT1: standard, LON1: centre % 360}
            self.at_pole = True
        self.keys |= {"standardParallelInDegrees": standard, "centralLongitudeInDegrees": centre}

    def space_view(self):
        self.earth()
        self.size = (self.random.randint(3, 7), self.random.randint(3, 7))
        self.keys |= {"Nx": self.size[0], "Ny": self.size[1], "latitudeOfSubSatellitePointInDegrees": 0, "longitudeOfSubSatellitePointInDegrees": self.random.choice([0, 9.5, 140])}
        self.keys |= {"dx": self.random.choice([8, 12]), "dy": self.random.choice([8, 12]), "XpInGridLengths": self.size[0] // 2, "YpInGridLengths": self.size[1] // 2}
        self.keys |= {"Xo": 0, "Yo": 0, "NrInRadiusOfEarth": 6.610700, "orientationOfTheGridInDegrees": 0}
        # ecCodes begins at the north, whatever the scanning mode says: only that is compared.
        self.keys |= {"iScansNegatively": 0, "jScansPositively": 0, "jPointsAreConsecutive": 0}

    def healpix(self):
        order = self.random.choice(["ring", "nested"])
        self.elements.append(f"{order} order")
        sides = self.random.choice([1, 2, 4])
        self.keys |= {"Nside": sides, "orderingConvention": order, LON1: 45}
        self.count = 12 * sides**2

    def unstructured_grid(self):
        self.count = self.random.randint(3, 40)

    def order(self):
        """Column and row of each point in the order of the file."""
        columns, rows = self.size
        lines, length = (columns, rows) if self.c else (rows, columns)
        for line in range(lines):
            for within in range(length):
                turned = length - 1 - within if self.a and line % 2 else within
                yield (line, turned) if self.c else (turned, line)

    def map_point(self, column, row):
        transformer = transformer_of(self.definition)
        x, y = transformer.transform(self.keys[LON1], self.keys[LAT1])
        x, y = x + column * self.steps[0] * (-1 if self.i else 1), y + row * self.steps[1] * (1 if self.j else -1)
        longitude, latitude = transformer.transform(x, y, direction="INVERSE")
        return latitude, longitude

    def map_points(self):
        points = [self.map_point(column, row) for column, row in self.order()]
        return [latitude for latitude, _ in points], [longitude for _, longitude in points]

    def by_standard(self):
        """Where points lie by WMO-306."""
        if self.grid in ON_MAPS:
            latitudes, longitudes = self.map_points()
            return list(zip(latitudes, longitudes))
        columns, rows = self.size
        first, last = self.keys[LON1], self.keys[LON2]
        span = (first - last if self.i else last - first) % 360 or 360
        longitudes = [first + (-1 if self.i else 1) * span * column / (columns - 1) for column in range(columns)]
        latitudes = self.latitudes if "gg" in self.grid else np.linspace(self.keys[LAT1], self.keys[LAT2], rows)
        points = [(latitudes[row], longitudes[column]) for column, row in self.order()]
        return [unrotated(self.pole, self.angle, *point) for point in points] if "rotated" in self.grid else points

    def defect(self):
        """Why ecCodes is not asked; None where it is."""
        if self.grid in ("regular_ll", "rotated_ll", "stretched_ll") and self.a:
            return "ecCodes reads all rows in one direction"
        if self.grid in ("regular_gg", "rotated_gg") and (self.a or self.c):
            return "ecCodes reads Gaussian grids by rows in one direction"
        if self.grid == "rotated_gg":
            return "ecCodes does not rotate regular Gaussian grids"
        if self.grid == "rotated_ll" and self.angle:
            return "ecCodes subtracts the angle of rotation from the longitudes"
        if self.grid in ("mercator", "lambert", "polar_stereographic") and (self.i or not self.j):
            return "ecCodes takes the first point for the south-western corner"
        if self.grid in ("mercator", "lambert", "polar_stereographic") and self.a and self.c:
            return "ecCodes turns rows where columns run to and fro"
        if self.grid == "polar_stereographic" and (self.oblate or (self.edition == 1 and "south" in self.elements)):
            return "ecCodes has no ellipsoid and takes the lengths of southern grids of edition 1 at 60 degrees north"
        if self.grid == "lambert_azimuthal_equal_area" and (self.a or (self.oblate and self.c) or self.at_pole):
            return "ecCodes has no rows to and fro, no columns on an ellipsoid, and no pole"
        if self.grid == "lambert_azimuthal_equal_area" and self.oblate and abs(self.keys["standardParallelInDegrees"]) == 90:
            return "ecCodes divides by a cosine near 0 around a pole of an ellipsoid"
        if self.grid == "reduced_rotated_gg" and self.angle:
            return "ecCodes subtracts the angle of rotation from the longitudes"
        if self.grid == "albers":
            return "ecCodes has no Albers grids"
        return None


def parallels(order):
    return np.degrees(np.arcsin(np.polynomial.legendre.leggauss(2 * order)[0]))[::-1]


def points_of_area(lengths, west, east):
    west, east = Fraction(round(west * 1_000_000), 1_000_000) % 360, Fraction(round(east * 1_000_000), 1_000_000) % 360
    east += 360 if east < west else 0
    return sum(max(0, min(length, floor(east * length / 360) - ceil(west * length / 360) + 1)) for length in lengths)


TRANSFORMERS = {}


def transformer_of(definition):
    if definition not in TRANSFORMERS:
        axes = " ".join(word for word in definition.split() if word[:3] in ("+a=", "+b="))
        TRANSFORMERS[definition] = pyproj.Transformer.from_crs(pyproj.CRS.from_proj4(f"+proj=longlat {axes}"), pyproj.CRS.from_proj4(definition), always_xy=True)
    return TRANSFORMERS[definition]


def unrotated(pole, angle, latitude, longitude):
    """As PROJ names the pole rotation of GRIB."""
    sphere = "+a=6371229 +b=6371229"
    key = f"+proj=ob_tran +o_proj=longlat +o_lat_p={-pole[0]} +o_lon_p={-angle} +lon_0={pole[1]} {sphere}"
    if key not in TRANSFORMERS:
        TRANSFORMERS[key] = pyproj.Transformer.from_crs(pyproj.CRS.from_proj4(key), pyproj.CRS.from_proj4(f"+proj=longlat {sphere}"), always_xy=True)
    east, north = TRANSFORMERS[key].transform(longitude, latitude)
    return north, east


def settable(key, value):
    if isinstance(value, str):
        return value
    return float(value) if "InDegrees" in key or not float(value).is_integer() else int(value)


def message(document):
    base = document.grid if document.pl is not None else "regular_ll"
    sample = f"{base}_sfc_grib{document.edition}" if base != "reduced_ll" else f"reduced_ll_sfc_grib{document.edition}"
    handle = ec.codes_grib_new_from_samples(sample)
    if document.pl is None and document.grid != "regular_ll":
        ec.codes_set(handle, "gridType", document.grid)
    if document.grid == "unstructured_grid":
        ec.codes_set(handle, "numberOfDataPoints", document.count)
    if document.pl is not None and "Nj" in document.keys:
        ec.codes_set(handle, "Nj", document.keys["Nj"])
        ec.codes_set_array(handle, "pl", document.pl)
    for key, value in document.keys.items():
        ec.codes_set(handle, key, settable(key, value))
    for key in getattr(document, "missing", []):
        ec.codes_set_missing(handle, key)
    count = document.size[0] * document.size[1] if hasattr(document, "size") else document.count
    if document.edition == 2:
        ec.codes_set(handle, "numberOfDataPoints", count)
    values = np.arange(count, dtype=float)
    if document.bitmap:
        ec.codes_set(handle, "bitmapPresent", 1)
        ec.codes_set(handle, "missingValue", 9999)
        values[1::3] = 9999
    ec.codes_set(handle, "bitsPerValue", 12)
    ec.codes_set_values(handle, values)
    data = ec.codes_get_message(handle)
    return (in_own_angles(data) if getattr(document, "basic", False) else data), values


def in_own_angles(data):
    """Angles of section 3 in thousandths of a degree, whose unit the section says; ecCodes does not write that."""
    start = 16
    while data[start + 4] != 3:
        start += int.from_bytes(data[start : start + 4], "big")
    changed = bytearray(data)
    at = lambda octet: start + octet - 1
    for octet in (47, 51, 56, 60, 64, 68):
        word = int.from_bytes(data[at(octet) : at(octet) + 4], "big")
        if word != 0xFFFFFFFF:
            sign, size = word & 0x80000000, word & 0x7FFFFFFF
            changed[at(octet) : at(octet) + 4] = (sign | round(size / 1000)).to_bytes(4, "big")
    changed[at(39) : at(39) + 8] = (1).to_bytes(4, "big") + (1000).to_bytes(4, "big")
    return bytes(changed)


def by_eccodes(data, missing, unrotate=True):
    handle = ec.codes_new_from_message(data)
    ec.codes_set(handle, "missingValue", 9999)
    if not unrotate:
        for key, value in (("latitudeOfSouthernPoleInDegrees", -90.0), ("longitudeOfSouthernPoleInDegrees", 0.0), ("angleOfRotationInDegrees", 0.0)):
            ec.codes_set(handle, key, value)
    iterator = ec.codes_grib_iterator_new(handle, 0)
    points = []
    while point := ec.codes_grib_iterator_next(iterator):
        latitude, longitude, value = point
        if not (missing and value == 9999):
            points.append([value, latitude, longitude])
    ec.codes_grib_iterator_delete(iterator)
    return points


def described(index, seed):
    document = Document(f"{seed} {index}")
    data, values = message(document)
    defect = document.defect()
    entry = {"index": index, "document": f"{document.grid} edition {document.edition} {document.keys} {document.pl or ''}", "grid": document.grid, "elements": document.elements}
    entry |= {"message": base64.b64encode(data).decode(), "count": len(values), "missing": int((values == 9999).sum()), "contradiction": document.contradiction}
    if document.grid == "unstructured_grid":
        return entry | {"reference": "none"}
    if defect is not None and not (document.contradiction and document.grid == "mercator") and document.grid != "stretched_ll":
        document.elements.append("PROJ instead of ecCodes")
        if document.pl is not None:
            plain = by_eccodes(data, document.bitmap, unrotate=False)
            points = [[value, *map(float, unrotated(document.pole, document.angle, *point))] for value, *point in plain]
        else:
            points = [[float(k), *map(float, point)] for k, point in enumerate(document.by_standard()) if values[k] != 9999]
        return entry | {"reference": "PROJ", "because": defect, "points": points}
    document.elements.append("ecCodes is right")
    try:
        return entry | {"reference": "ecCodes", "points": by_eccodes(data, document.bitmap)}
    except ec.CodesInternalError as error:
        return entry | {"reference": "refused", "because": str(error)}


def apart(index, seed):
    """In a process of its own: some grids that ecCodes writes damage its memory."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(sink, "w") as pipe:
                pipe.write(json.dumps(described(index, seed)))
        except ec.CodesInternalError as error:
            print(f"document {index} of seed {seed}: ecCodes can't write it: {error}", file=sys.stderr)
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(source) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"index": index, "failed": True}


def main():
    job = json.load(open(sys.argv[1]))
    entries = [apart(index, job["seed"]) for index in range(job["count"])]
    print(json.dumps({"eccodes": ec.codes_get_api_version(), "elements": ELEMENTS, "documents": entries}), flush=True)
    # ecCodes fails when it is unloaded.
    os._exit(0)


main()
