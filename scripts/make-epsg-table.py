"""Writes src/formats/georeference/crs/epsg-table.ts: what the codes of the EPSG dataset mean, in well-known text.

    python3.13 -m venv v && v/bin/pip install pyproj==3.8.0 brotli==1.1.0 && v/bin/python scripts/make-epsg-table.py

GeoTIFF names systems, and the parts of systems that a file defines itself, by number, CF by WKT, and what is between is the EPSG
dataset, which PROJ brings along.
"""
import base64
import sqlite3
import warnings
from pathlib import Path

import brotli
from pyproj import CRS
from pyproj.crs import CoordinateOperation, Datum, Ellipsoid, PrimeMeridian
from pyproj.database import get_database_metadata, get_units_map, query_crs_info
from pyproj.datadir import get_data_dir

TARGET = Path(__file__).parent.parent / "src/formats/georeference/crs/epsg-table.ts"
ENTRIES = 256


def main():
    warnings.simplefilter("ignore")
    with sqlite3.connect(f"{get_data_dir()}/proj.db") as database:
        kinds = {
            "crs": systems(),
            "datum": objects(Datum, codes(database, "geodetic_datum") + codes(database, "vertical_datum")),
            "ellipsoid": objects(Ellipsoid, codes(database, "ellipsoid")),
            "meridian": objects(PrimeMeridian, codes(database, "prime_meridian")),
            "length": units("linear"),
            "angle": units("angular") | degrees(),
            "conversion": objects(CoordinateOperation, codes(database, "conversion_table")),
            "successor": successors(database),
            "dynamic": dynamic(),
            "esriDatum": esri_datums(database),
        }
    version = get_database_metadata("EPSG.VERSION")
    lines = [
        "// Made by scripts/make-epsg-table.py: do not edit.",
        "//",
        f"// EPSG Geodetic Parameter Dataset {version}, as PROJ distributes it. The dataset is owned by the International",
        "// Association of Oil & Gas Producers (IOGP), https://epsg.org/terms-of-use.html; it is passed on unchanged but for",
        "// its spelling as WKT.",
        "",
        "/** Lines `code WKT` of a kind, in parts: the first code of each, and its content, compressed by Brotli, in base64. */",
        "export type EpsgParts = readonly (readonly [first: number, content: string])[]",
        "",
        "/** Coordinate reference systems, and what they are made of. */",
        "export const EPSG_TABLE = {",
    ]
    for kind, rows in kinds.items():
        print(kind, len(rows))
        lines += [f"  {kind}: [", *written(sorted(rows.items())), "  ],"]
    TARGET.write_text("\n".join([*lines, "} as const satisfies Record<string, EpsgParts>", ""]))


def written(rows):
    for start in range(0, len(rows), ENTRIES):
        part = rows[start : start + ENTRIES]
        text = "\n".join(f"{code} {text}" for code, text in part)
        content = base64.b64encode(brotli.compress(text.encode(), quality=11)).decode()
        yield from ("    [", f"      {part[0][0]},", f"      '{content}',", "    ],")


def codes(database, table):
    return [int(code) for (code,) in database.execute(f"select code from {table} where auth_name = 'EPSG'")]


def objects(kind, all_codes):
    """WKT 1 as GDAL writes it; what it can't say is left out."""
    texts = ((code, wkt1(kind.from_epsg(code))) for code in all_codes)
    return {code: text for code, text in texts if text is not None}


def wkt1(thing, **options):
    try:
        return thing.to_wkt("WKT1_GDAL", **options)
    except Exception:
        return None


KINDS = ("PROJECTED", "GEOGRAPHIC_2D", "GEOGRAPHIC_3D", "GEOCENTRIC", "VERTICAL", "COMPOUND")


def systems():
    """WKT 1 as GDAL writes it, which every client reads; WKT 2 for the few systems that it can't say, or not without a loss."""
    infos = query_crs_info(auth_name="EPSG", allow_deprecated=True)
    all_codes = sorted({int(info.code) for info in infos if any(kind in str(info.type) for kind in KINDS)})
    found = {}
    for code in all_codes:
        crs = CRS.from_epsg(code)
        text = wkt1(crs, output_axis_rule=True)
        found[code] = text if text is not None and CRS.from_wkt(text) == crs else crs.to_wkt("WKT2_2019", output_axis_rule=True)
    return {code: text for code, text in found.items() if text}


def units(category):
    known = get_units_map(auth_name="EPSG", category=category, allow_deprecated=True).values()
    return {int(unit.code): f'UNIT["{unit.name}",{unit.conv_factor:.15g},AUTHORITY["EPSG","{unit.code}"]]' for unit in known if unit.conv_factor}


def degrees():
    """Degrees in other spellings, such as minutes after the point, are degrees, as for GDAL, which knows them by one code."""
    return dict.fromkeys((9102, 9107, 9108, 9110, 9122), 'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]]')


def successors(database):
    """Deprecated systems with one successor, which GDAL takes in their place."""
    pairs = {}
    query = """
        select deprecated_code, replacement_code from deprecation
        where table_name in ('projected_crs', 'geodetic_crs') and deprecated_auth_name = 'EPSG' and replacement_auth_name = 'EPSG'
    """
    for old, new in database.execute(query):
        pairs.setdefault(int(old), []).append(new)
    return {old: new for old, [new, *others] in pairs.items() if not others}


def dynamic():
    """Geodetic systems of a plate that moves: GDAL takes them from the dataset whatever else a file says."""
    found = {}
    for info in query_crs_info(auth_name="EPSG", allow_deprecated=True):
        if "GEOGRAPHIC" not in str(info.type):
            continue
        description = CRS.from_epsg(int(info.code)).to_json_dict()
        datum = description.get("datum") or first_member(description)
        if datum["type"] == "DynamicGeodeticReferenceFrame" or datum["name"] == "World Geodetic System 1984":
            found[int(info.code)] = "dynamic"
    return found


def first_member(description):
    identifier = description["datum_ensemble"]["members"][0]["id"]
    return Datum.from_authority(identifier["authority"], identifier["code"]).to_json_dict()


def esri_datums(database):
    """The names that ArcGIS has for datums."""
    query = "select code, alt_name from alias_name where source = 'ESRI' and auth_name = 'EPSG' and table_name = 'geodetic_datum'"
    return {int(code): name for code, name in database.execute(query)}


main()
