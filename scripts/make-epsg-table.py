"""Writes src/formats/tiff/epsg-table.ts: the WKT of every coordinate reference system of the EPSG dataset.

    python3 -m venv v && v/bin/pip install pyproj==3.7.2 brotli==1.1.0 && v/bin/python scripts/make-epsg-table.py

GeoTIFF names systems by number, CF by WKT, and what is between is the EPSG dataset, which PROJ brings along.
"""
import base64
import warnings
from pathlib import Path

import brotli
from pyproj import CRS
from pyproj.database import get_database_metadata, query_crs_info

TARGET = Path(__file__).parent.parent / "src/formats/tiff/epsg-table.ts"
ENTRIES = 256
KINDS = ("PROJECTED", "GEOGRAPHIC_2D", "GEOGRAPHIC_3D", "GEOCENTRIC", "VERTICAL", "COMPOUND")


def wkt(code):
    """WKT 1 as GDAL writes it, which every client reads; WKT 2 for the few systems that it can't say."""
    crs = CRS.from_epsg(code)
    for version in ("WKT1_GDAL", "WKT2_2019"):
        try:
            return crs.to_wkt(version, output_axis_rule=True)
        except Exception:
            continue
    return None


def main():
    warnings.simplefilter("ignore")
    infos = query_crs_info(auth_name="EPSG", allow_deprecated=True)
    codes = sorted({int(info.code) for info in infos if any(kind in str(info.type) for kind in KINDS)})
    rows = [(code, text) for code in codes if (text := wkt(code))]
    version = get_database_metadata("EPSG.VERSION")
    lines = [
        "// Made by scripts/make-epsg-table.py: do not edit.",
        "//",
        f"// EPSG Geodetic Parameter Dataset {version}, as PROJ distributes it. The dataset is owned by the International",
        "// Association of Oil & Gas Producers (IOGP), https://epsg.org/terms-of-use.html; it is passed on unchanged but for",
        "// its spelling as WKT.",
        "",
        "/** The first code of each part, and its lines `code WKT`, compressed by Brotli, in base64. */",
        "export const EPSG_PARTS: readonly (readonly [first: number, content: string])[] = [",
    ]
    for start in range(0, len(rows), ENTRIES):
        part = rows[start : start + ENTRIES]
        text = "\n".join(f"{code} {text}" for code, text in part)
        content = base64.b64encode(brotli.compress(text.encode(), quality=11)).decode()
        lines += ["  [", f"    {part[0][0]},", f"    '{content}',", "  ],"]
    TARGET.write_text("\n".join([*lines, "]", ""]))


main()
