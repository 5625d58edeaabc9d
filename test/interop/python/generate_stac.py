"""Random documents of STAC, read by the service, by rasterio (the files) and by the STAC specification (what they mean):
`generate_stac.py SERVICE FOLDER SEED COUNT`. Prints a report as JSON. Where pystac is installed, it must read the same meaning.
"""

import copy
import json
import os
import re
import shutil
import sys
import traceback
import warnings

import numpy as np
import rasterio
import xarray as xr
from rasterio.transform import from_origin

from generate_common import RandomDocument, Refused, Report, fetched, first_difference, refusal_in, store, warnings_of

try:
    import pystac
except ImportError:
    pystac = None

VERSIONS = ["1.0.0", "1.0.1", "1.1.0", "1.1.1"]
KINDS = ["Item", "ItemCollection", "page and next", "Collection: item links", "Collection: items link", "join document"]
MEDIA = {
    "media: image/tiff": "image/tiff",
    "media: geotiff": "image/tiff; application=geotiff",
    "media: cog": "image/tiff; application=geotiff; profile=cloud-optimized",
    "media: letter case": "IMAGE/Tiff; Application=GeoTIFF; Profile=Cloud-Optimized",
    "media: no blanks": "image/tiff;application=geotiff",
    "media: vnd.stac.geotiff": "image/vnd.stac.geotiff; cloud-optimized=true",
    "media: absent": None,
}
ROLES = {
    "roles: data": ["data"],
    "roles: several": ["data", "reflectance"],
    "roles: visual": ["visual"],
    "roles: empty": [],
    "roles: absent": None,
    "roles: own": ["snow-ice"],
}
ASIDE = {"roles: thumbnail": ["thumbnail"], "roles: overview": ["overview"], "roles: metadata": ["metadata"]}
OTHERS = {"media: jpeg": "image/jpeg", "media: json": "application/json", "media: xml": "application/xml", "media: html": "text/html"}
HREFS = ["href: name", "href: ./name", "href: folder/name", "href: ../folder/name", "href: absolute", "href: escaped blank", "href: alternate"]
SELF = ["self: absent", "self: absolute", "self: elsewhere", "self: relative"]
BANDS = ["bands: none", "bands: eo", "bands: raster", "bands: eo and raster", "bands: 1.1", "bands: 1.1 and raster", "bands: fewer than the file has", "bands: repeated names", "bands: several"]
MEANINGS = [
    "nodata: band", "nodata: asset", "nodata: item", "nodata: file", "nodata: file and document", "nodata: nan", "nodata: inf", "nodata: -inf", "nodata: does not fit",
    "nodata: differs by band", "scale: band", "scale: asset", "scale: file", "scale: file and document", "scale: 1", "scale: differs by band",
    "offset: band", "offset: asset", "offset: without scale", "unit: band", "unit: asset", "unit: item", "title", "description of the asset", "common_name", "center_wavelength",
]
PROJ = ["proj: absent", "proj: item epsg", "proj: item code", "proj: asset", "proj: wrong", "proj: null"]
TIMES = ["datetime: Z", "datetime: offset", "datetime: fraction", "datetime: small letters", "datetime: null and start", "datetime: equal", "datetime: out of order"]
LAYOUT = ["two resolutions", "three resolutions", "key order", "unknown members", "asset key with a slash", "option assets", "absent thumbnail", "several assets", "integers as floats", "BOM"]
TYPES = ["type: uint8", "type: int16", "type: uint16", "type: float32", "type: float64"]
ELEMENTS = [*[f"version: {each}" for each in VERSIONS], *[f"kind: {each}" for each in KINDS], *MEDIA, *ROLES, *ASIDE, *OTHERS, *HREFS, *SELF, *BANDS, *MEANINGS, *PROJ, *TIMES, *LAYOUT, *TYPES]
SIZES = [10, 20, 60]
EDGE = 48


class Document(RandomDocument):
    def __init__(self, random, folder, index):
        super().__init__(random, folder, index)
        self.texts = {}

    def shuffled(self, value):
        """The same object with its members in another order, however deep."""
        if isinstance(value, dict):
            keys = list(value)
            self.random.shuffle(keys)
            return {key: self.shuffled(value[key]) for key in keys}
        return [self.shuffled(item) for item in value] if isinstance(value, list) else value

    def write(self, name, document):
        text = json.dumps(document)
        if self.order:
            text = json.dumps(self.shuffled(document))
        if self.floats:
            text = re.sub(r'("(?:raster:)?(?:scale|offset|nodata)": -?\d+)(?=[,}])', r"\1.0", text)
        self.texts[name] = text
        with open(os.path.join(self.folder, name), "w", encoding="utf-8-sig" if self.bom else "utf-8") as file:
            file.write(text)


class Asset:
    """A file, what the document says of it, and what both mean together."""

    def __init__(self, key, size, dtype, count):
        self.key, self.size, self.dtype, self.count = key, size, dtype, count
        self.file = {}
        self.json = {}
        self.names = None
        self.meaning = {}


def file_of(document, asset, item, corner):
    """Writes the raster of an asset, and returns its path from the document's folder."""
    random = document.random
    name = f"{item}_{asset.key.replace('/', '_')}.tif"
    place = "name"
    if asset.is_moved:
        place = document.one(["sub", "up", "blank", "name"])
    path = {"name": name, "sub": f"files/{name}", "up": f"files/{name}", "blank": f"a b {name}"}[place]
    full = os.path.join(document.folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    edge = EDGE * 10 // asset.size if asset.size != 60 else EDGE // 6
    low, high = (1, 200) if asset.dtype != "int16" else (-300, 300)
    data = random.integers(low, high, (asset.count, edge, edge)).astype(asset.dtype)
    data[:, : edge // 3, : edge // 4] = 7
    profile = {"nodata": asset.file["nodata"]} if "nodata" in asset.file else {}
    with rasterio.open(full, "w", driver="GTiff", height=edge, width=edge, count=asset.count, dtype=asset.dtype, crs="EPSG:32633", transform=from_origin(*corner, asset.size, asset.size), tiled=True, blockxsize=16, blockysize=16, compress="deflate", **profile) as file:
        file.write(data)
        if "scale" in asset.file:
            file.scales = [asset.file["scale"]] * asset.count
            file.offsets = [asset.file["offset"]] * asset.count
    return place, path


def href_of(document, place, path):
    if document.maybe(0.2):
        document.has("href: absolute")
        return document.url(path.replace(" ", "%20"))
    if place == "sub":
        document.has("href: folder/name")
        return path
    if place == "up":
        document.has("href: ../folder/name")
        return f"../{os.path.basename(document.folder)}/{path}"
    if place == "blank":
        document.has("href: escaped blank")
        return path.replace(" ", "%20")
    if document.maybe(0.5):
        document.has("href: ./name")
        return f"./{path}"
    document.has("href: name")
    return path


def describe(document, asset, version, properties, common):
    """What the document says of an asset's bands; `asset.meaning` is what the specification makes of it and of the file."""
    said = dict(common)
    own = asset.json
    is_new = version.startswith("1.1")
    kinds = ["none", "1.1", "1.1 and raster"] if is_new else ["none", "eo", "raster", "eo and raster"]
    if document.kind != "Item" and document.unit is not None and not is_new:
        kinds = ["raster", "eo and raster"]
    kind = document.one(kinds)
    document.has(f"bands: {kind}")
    # The lists in the order in which the service, like the extensions' migration, prefers them.
    bands = {"none": [], "eo": ["eo:bands"], "raster": ["raster:bands"], "eo and raster": ["eo:bands", "raster:bands"], "1.1": ["bands"], "1.1 and raster": ["bands", "raster:bands"]}[kind]
    listed = asset.count
    if asset.count > 2 and bands and document.maybe(0.2, "bands: fewer than the file has"):
        listed = asset.count - 1
    lists = {name: [{} for _ in range(listed)] for name in bands}
    values = next((name for name in ("bands", "raster:bands") if name in lists and (name == "bands" or "bands" not in lists)), None)
    named = next((name for name in ("bands", "eo:bands") if name in lists), None)
    if named is not None and document.maybe(0.7):
        names = [f"B{at:02}" for at in range(listed)]
        if listed > 1 and document.maybe(0.2, "bands: repeated names"):
            names = ["B"] * listed
        for band, text in zip(lists[named], names):
            band["name"] = text
        asset.names = names
    if named is not None and asset.count == 1 and document.maybe(0.4):
        prefix = "eo:" if is_new else ""
        lists[named][0][f"{prefix}common_name"] = said["common_name"] = document.one(["red", "nir", "swir16"])
        document.has("common_name")
        if document.maybe(0.5, "center_wavelength"):
            lists[named][0][f"{prefix}center_wavelength"] = said["center_wavelength"] = 0.665
    if listed > 1:
        document.has("bands: several")
    number = {"scale": "raster:scale" if values == "bands" else "scale", "offset": "raster:offset" if values == "bands" else "offset", "nodata": "nodata", "unit": "unit"}

    def say(name, value, level):
        """A value for all bands: in each of them, or in the asset."""
        if level == "band":
            for band in lists[values]:
                band[number[name]] = value
        else:
            own[{"scale": "raster:scale", "offset": "raster:offset"}.get(name, name)] = value
        document.has(f"{name}: {level}")

    levels = (["band"] if values is not None else []) + (["asset"] if is_new else [])
    if levels and document.maybe(0.45):
        value = document.one([7, 0, 199])
        if asset.dtype.startswith("float") and document.maybe(0.5):
            value = document.one(["nan", "inf", "-inf"])
            document.has(f"nodata: {value}")
        elif document.maybe(0.15):
            value = 70000 if asset.dtype != "uint8" else 256
            if not asset.dtype.startswith("float"):
                document.has("nodata: does not fit")
        level = document.one(levels)
        if "nodata" in asset.file:
            document.has("nodata: file and document")
        if level == "band" and listed > 1 and document.maybe(0.3, "nodata: differs by band"):
            for at, band in enumerate(lists[values]):
                band["nodata"] = at
            said.pop("nodata", None)
        else:
            say("nodata", value, level)
            said["nodata"] = value
    if levels and document.maybe(0.45):
        level = document.one(levels)
        if "scale" in asset.file:
            document.has("scale: file and document")
        if level == "band" and listed > 1 and document.maybe(0.3, "scale: differs by band"):
            for at, band in enumerate(lists[values]):
                band[number["scale"]] = 0.5 + at
        elif document.maybe(0.2):
            say("scale", 1, level)
            document.has("scale: 1")
        else:
            said["scale"] = document.one([0.0001, 0.5, 2])
            say("scale", said["scale"], level)
        if document.maybe(0.6):
            said["offset"] = document.one([-0.1, 273.15, 5])
            say("offset", said["offset"], document.one(levels))
    elif levels and document.maybe(0.12, "offset: without scale"):
        said["offset"] = 3
        say("offset", 3, document.one(levels))
    if levels and document.unit is not None and "unit" not in common:
        # Files of several Items with other units are refused: they share one.
        said["unit"] = document.unit if document.kind != "Item" or document.maybe(0.7) else "other"
        say("unit", said["unit"], document.one(levels))
    if document.maybe(0.4, "title"):
        own["title"] = said["title"] = f"Title of {asset.key}"
    if document.maybe(0.2, "description of the asset"):
        own["description"] = "A description that is the asset's, and no band's."
    own.update(lists)
    if document.maybe(0.1, "unknown members"):
        own["vendor:thing"] = {"scale": 99, "nodata": 98, "list": [1, {"offset": 2}]}
    asset.meaning = said


def projection(document, asset_json, properties):
    kind = document.one(PROJ)
    document.has(kind)
    if kind == "proj: item epsg":
        properties["proj:epsg"] = 32633
    elif kind == "proj: item code":
        properties["proj:code"] = "EPSG:32633"
    elif kind == "proj: asset":
        asset_json.update({"proj:shape": [EDGE, EDGE], "proj:transform": [10, 0, 500000, 0, -10, 5000000], "proj:code": "EPSG:32633"})
    elif kind == "proj: wrong":
        # A file says itself where it lies.
        asset_json.update({"proj:shape": [3, 3], "proj:transform": [30, 0, 1, 0, -30, 2], "proj:epsg": 4326})
    elif kind == "proj: null":
        properties["proj:epsg"] = None


def times(document, number):
    """A moment as the document spells it, and what it is."""
    moment = np.datetime64("2024-03-01T10:00:00", "us") + np.timedelta64(number, "D")
    plain = str(moment.astype("M8[s]"))
    kind = document.one(TIMES[:5])
    document.has(kind)
    if kind == "datetime: offset":
        return {"datetime": f"{str((moment + np.timedelta64(2, 'h')).astype('M8[s]'))}+02:00"}, moment
    if kind == "datetime: fraction":
        return {"datetime": f"{plain}.250Z"}, moment + np.timedelta64(250, "ms")
    if kind == "datetime: small letters":
        return {"datetime": f"{plain}z".replace("T", "t")}, moment
    if kind == "datetime: null and start":
        return {"datetime": None, "start_datetime": f"{plain}Z", "end_datetime": f"{plain}Z"}, moment
    return {"datetime": f"{plain}Z"}, moment


def item_of(document, name, version, plan, number, corner):
    """An Item of planned assets, and these with their files."""
    random = document.random
    when, moment = times(document, number)
    properties = {**when, "platform": "test-1", "eo:cloud_cover": 12.5, "proj:epsg": 32633, "view": {"nested": True}, "instruments": ["a", "b"]}
    del properties["proj:epsg"]
    assets, described = {}, []
    common = {}
    if version.startswith("1.1") and document.maybe(0.15, "nodata: item"):
        properties["nodata"] = common["nodata"] = document.one([7, 0])
    if document.unit is not None and version.startswith("1.1") and document.maybe(0.5, "unit: item"):
        properties["unit"] = common["unit"] = document.unit
    for key, size, dtype, count in plan:
        asset = Asset(key, size, dtype, count)
        asset.is_moved = document.maybe(0.5)
        document.has(f"type: {dtype}")
        if document.maybe(0.3, "nodata: file"):
            asset.file["nodata"] = 7
        if document.maybe(0.15, "scale: file"):
            asset.file.update(scale=0.25, offset=1.5)
        place, path = file_of(document, asset, name, corner)
        asset.path = path
        media, roles = document.one(MEDIA), document.one(ROLES)
        document.has(media, roles)
        if MEDIA[media] is not None:
            asset.json["type"] = MEDIA[media]
        if ROLES[roles] is not None:
            asset.json["roles"] = ROLES[roles]
        asset.json["href"] = href_of(document, place, path)
        if document.maybe(0.1, "href: alternate"):
            asset.json["alternate"] = {"here": {"href": asset.json["href"]}, "there": {"href": "ftp://host.invalid/none.tif"}}
            asset.json["href"] = f"ftp://host.invalid/{key}.tif"
        describe(document, asset, version, properties, common)
        projection(document, asset.json, properties)
        assets[key] = asset.json
        described.append(asset)
    aside(document, assets)
    links = []
    kind = document.one(SELF)
    document.has(kind)
    if kind == "self: absolute":
        links.append({"rel": "self", "href": document.url(f"{name}.json")})
    elif kind == "self: relative":
        links.append({"rel": "self", "href": f"./{name}.json"})
    elif kind == "self: elsewhere":
        # Relative places count from where the Item itself lies.
        links.append({"rel": "self", "href": document.url(f"elsewhere/{name}.json")})
        for asset in described:
            for holder in (asset.json, *asset.json.get("alternate", {}).values()):
                if "://" not in holder["href"]:
                    holder["href"] = f"../{holder['href'].removeprefix('./')}"
    item = {
        "type": "Feature",
        "stac_version": version,
        "stac_extensions": ["https://stac-extensions.github.io/raster/v2.0.0/schema.json" if version.startswith("1.1") else "https://stac-extensions.github.io/raster/v1.1.0/schema.json"],
        "id": name,
        "geometry": {"type": "Point", "coordinates": [15, 45]},
        "bbox": [15, 45, 15, 45],
        "properties": properties,
        "links": links,
        "assets": assets,
    }
    if random.random() < 0.2:
        item["collection"] = "things"
    return item, described, moment


def aside(document, assets):
    """What is no data: previews and descriptions, which need not be there."""
    for role in [each for each in ASIDE if document.maybe(0.15)]:
        document.has(role, "absent thumbnail")
        assets[role.split()[-1] + "_file"] = {"href": "./none.tif", "type": "image/tiff", "roles": ASIDE[role]}
    for media in [each for each in OTHERS if document.maybe(0.12)]:
        document.has(media)
        assets[media.split()[-1] + "_file"] = {"href": "./none", "type": OTHERS[media], "roles": ["data"]}


def plan_of(document, count):
    sizes = [10]
    if document.maybe(0.4, "two resolutions"):
        sizes = [10, 20]
    elif document.maybe(0.3, "three resolutions"):
        sizes = [10, 20, 60]
    keys = ["red", "nir", "visual", "scl", "b-8a", "B 9"]
    plan = []
    for at in range(max(count, len(sizes))):
        key = keys[at]
        if document.maybe(0.1, "asset key with a slash"):
            key = f"data/{key}"
        bands = int(document.one([1, 1, 1, 3, 4]))
        plan.append((key, sizes[at % len(sizes)], document.one(TYPES).removeprefix("type: "), bands))
    if len(plan) > 1:
        document.has("several assets")
    return plan


def build(document):
    document.order = document.maybe(0.3, "key order")
    document.floats = document.maybe(0.1, "integers as floats")
    document.unit = document.one(["K", "m", "W/m²"]) if document.maybe(0.3) else None
    document.bom = document.maybe(0.05, "BOM")
    version = document.one(VERSIONS)
    kind = document.one(["Item"] * 6 + KINDS[1:])
    document.has(f"version: {version}", f"kind: {kind}")
    document.kind = kind
    plan = plan_of(document, int(document.random.integers(1, 4)))
    if kind == "Item":
        item, assets, _moment = item_of(document, "item", version, plan, 0, (500000, 5000000))
        document.items = [(item, assets, _moment)]
        document.write("item.json", item)
        return "item.json"
    count = int(document.random.integers(2, 4))
    numbers = list(range(count))
    if document.maybe(0.3, "datetime: equal"):
        numbers[1] = numbers[0]
    if document.maybe(0.3, "datetime: out of order"):
        numbers.reverse()
    document.items = []
    for at, number in enumerate(numbers):
        corner = (500000 + 240 * at * int(document.maybe(0.5)), 5000000)
        item, assets, moment = item_of(document, f"item{at}", version, plan, number, corner)
        for asset, (_key, *_rest) in zip(assets, plan):
            asset.meaning = asset.meaning
        document.items.append((item, assets, moment))
    items = [item for item, _assets, _moment in document.items]
    if kind in ("ItemCollection", "join document"):
        document.write("items.json", {"type": "FeatureCollection", "stac_version": version, "features": items})
        if kind == "join document":
            document.write("join.json", {"virtual_zarr": "join/1", "sources": {"stac": "items.json"}})
            return "join.json"
        return "items.json"
    if kind == "page and next":
        document.write("page2.json", {"type": "FeatureCollection", "stac_version": version, "features": items[1:], "links": []})
        document.write("page1.json", {"type": "FeatureCollection", "stac_version": version, "features": items[:1], "links": [{"rel": "next", "href": document.one(["page2.json", document.url("page2.json")])}]})
        return "page1.json"
    links = [{"rel": "root", "href": "./catalog.json"}]
    if kind == "Collection: items link":
        document.write("all.json", {"type": "FeatureCollection", "stac_version": version, "features": items})
        links.append({"rel": "items", "href": "./all.json"})
    else:
        for item in items:
            document.write(f"{item['id']}.json", item)
            links.append({"rel": "item", "href": f"./{item['id']}.json"})
    document.write("collection.json", {"type": "Collection", "stac_version": version, "id": "things", "description": "d", "license": "other", "extent": {}, "links": links})
    return "collection.json"


# ---------------------------------------------------------------- comparing


def fits(value, dtype):
    """A nodata value as the type has it; None where the type can't hold it."""
    if isinstance(value, str):
        return float(value) if dtype.startswith("float") else None
    if dtype.startswith("float"):
        return float(value)
    info = np.iinfo(dtype)
    return int(value) if info.min <= value <= info.max else None


def meaning_of(asset):
    """What the file says, else what the document says: the attributes that clients read."""
    said, file = asset.meaning, asset.file
    meaning = {}
    if "scale" in file:
        meaning["scale_factor"], meaning["add_offset"] = file["scale"], file["offset"]
    else:
        if said.get("scale", 1) != 1:
            meaning["scale_factor"] = said["scale"]
        if said.get("offset", 0) != 0:
            meaning["add_offset"] = said["offset"]
    nodata = fits(file["nodata"], asset.dtype) if "nodata" in file else fits(said["nodata"], asset.dtype) if "nodata" in said else None
    if nodata is not None:
        meaning["_FillValue"] = nodata
    for key, name in (("unit", "units"), ("title", "long_name"), ("common_name", "common_name"), ("center_wavelength", "center_wavelength")):
        if key in said:
            meaning[name] = said[key]
    return meaning


def check_with_pystac(item, assets):
    """pystac reads the same meaning of the same document."""
    if pystac is None:
        return
    from pystac.extensions.raster import RasterExtension

    own = pystac.Item.from_dict(copy.deepcopy(item))
    for asset in assets:
        read = own.assets[asset.key]
        bands = read.common_metadata.bands if hasattr(read.common_metadata, "bands") else None
        del bands
        if "raster:bands" in read.extra_fields:
            listed = RasterExtension.ext(read, add_if_missing=True).bands
            for name in ("scale", "offset"):
                values = {getattr(band, name, None) for band in listed or []}
                if len(values) == 1 and None not in values and name in asset.meaning and values != {asset.meaning[name]}:
                    raise AssertionError(f"pystac has {name} {values} of {asset.key}, the generator {asset.meaning}")


def compare(service, document, name, report):
    url = document.url(name)
    options, parameters = "", {}
    keys = [asset.key for asset in document.items[0][1]]
    wanted = keys
    if document.maybe(0.15) and document.kind != "join document" and not any("," in key or "/" in key or " " in key for key in keys):
        document.has("option assets")
        wanted = keys[: max(1, len(keys) - 1)]
        options = f";assets={','.join(wanted)}"
        parameters = {"assets": ",".join(wanted)}
    address = store(service, url, options)
    text = "\n".join(f"{each}: {body}" for each, body in document.texts.items())
    note = lambda what, reference, ours, reason=None: report.differ(document.index, what, f"{options} {text}\n  ({', '.join(dict.fromkeys(document.elements))})", reference, ours, reason)  # noqa: E731
    for item, assets, _moment in document.items:
        check_with_pystac(item, assets)
    try:
        fetched(f"{address}zarr.json")
    except Refused as refusal:
        note("store", "readable", refusal, refusal.reason)
        return
    told = warnings_of(service, url, parameters)
    if document.kind == "Item":
        compare_item(document, address, wanted, told, note)
    else:
        compare_stack(document, address, wanted, told, note)


def first_of(told, name):
    return next(iter(told.get(name, []) + told.get("", [])), None)


def groups_of(assets):
    """Group of each asset: the finest grid at the root, others by the size of their pixels."""
    finest = min(asset.size for asset in assets)
    return {asset.key: "" if asset.size == finest else f"{asset.size}m" for asset in assets}


def opened(address, group):
    return xr.open_zarr(address, group=group or None, chunks=None, mask_and_scale=False, decode_times=False)


def served_name(key):
    return key.replace("/", "_")


def compare_item(document, address, wanted, told, note):
    item, assets, _moment = document.items[0]
    chosen = [asset for asset in assets if asset.key in wanted]
    groups = groups_of(chosen)
    sets = {group: opened(address, group) for group in set(groups.values())}
    root = sets[""].attrs
    for key, value in item["properties"].items():
        if isinstance(value, (str, int, float)) and root.get(key) != value:
            note(f"property {key}", value, root.get(key))
    if root.get("stac_id") != item["id"]:
        note("stac_id", item["id"], root.get("stac_id"))
    for group, dataset in sets.items():
        expected = {served_name(asset.key) for asset in chosen if groups[asset.key] == group}
        if set(dataset.data_vars) - {"spatial_ref"} != expected:
            note(f"variables of /{group}", sorted(expected), sorted(dataset.data_vars))
    for asset in chosen:
        dataset, name = sets[groups[asset.key]], served_name(asset.key)
        if name not in dataset:
            continue
        path = f"{groups[asset.key]}/{name}".lstrip("/")
        array = dataset[name]
        with rasterio.open(os.path.join(document.folder, asset.path)) as file:
            expected = file.read() if asset.count > 1 else file.read(1)
            transform = file.transform
        different(note, f"{path} values", expected, array.values, told, path)
        compare_place(note, dataset, path, transform, expected.shape)
        compare_meaning(note, asset, array, path, told)
        if asset.count > 1:
            names = asset.names if asset.names is not None and len(asset.names) == asset.count == len(set(asset.names)) else list(range(1, asset.count + 1))
            found = dataset[f"{name}_band"].values.tolist() if f"{name}_band" in dataset else None
            if found != names:
                note(f"{path} bands", names, found, first_of(told, path))


def compare_place(note, dataset, path, transform, shape):
    for name, start, step, length in [("x", transform.c, transform.a, shape[-1]), ("y", transform.f, transform.e, shape[-2])]:
        expected = start + (np.arange(length) + 0.5) * step
        difference = first_difference(expected, dataset[name].values, rtol=1e-12)
        if difference is not None:
            note(f"{path} {name} at {difference[0]}", difference[1], difference[2])


def compare_meaning(note, asset, array, path, told):
    expected = meaning_of(asset)
    for key in ("scale_factor", "add_offset", "_FillValue", "units", "long_name", "common_name", "center_wavelength"):
        one, other = expected.get(key), array.attrs.get(key)
        same = one == other or isinstance(one, float) and isinstance(other, (float, np.floating)) and (one == float(other) or one != one and other != other)
        if not same and not (one is not None and other is not None and not isinstance(one, str) and float(one) == float(other)):
            note(f"{path} {key}", one, other, first_of(told, path) if key in ("scale_factor", "add_offset", "_FillValue") else None)


def different(note, what, expected, found, told, path):
    difference = first_difference(expected, found)
    if difference is None and expected.dtype != found.dtype:
        difference = ("dtype", str(expected.dtype), str(found.dtype))
    if difference is not None:
        note(f"{what} at {difference[0]}", difference[1], difference[2], first_of(told, path))


def compare_stack(document, address, wanted, told, note):
    """Several Items along time: each step is the mosaic of its Items, of which the later one wins where it is valid."""
    moments = sorted({moment for _item, _assets, moment in document.items})
    first = [asset for asset in document.items[0][1] if asset.key in wanted]
    groups = groups_of(first)
    for group in set(groups.values()):
        dataset = opened(address, group)
        unit = dataset.time.attrs.get("units", "")
        size = {"seconds": 10**6, "milliseconds": 10**3, "microseconds": 1}.get(unit.split()[0], 0)
        expected = [int(moment.astype("M8[us]").astype("i8")) for moment in moments]
        found = [int(round(float(value) * size)) for value in dataset.time.values.tolist()]
        if expected != found:
            note(f"/{group} time", expected, found)
            continue
        for asset in [each for each in first if groups[each.key] == group]:
            compare_steps(document, asset.key, dataset, f"{group}/{served_name(asset.key)}".lstrip("/"), moments, told, note)


def compare_steps(document, key, dataset, path, moments, told, note):
    name = served_name(key)
    if name not in dataset:
        note(f"{path}", "a variable", list(dataset.data_vars), first_of(told, path))
        return
    array = dataset[name]
    own = [(next(asset for asset in assets if asset.key == key), moment) for _item, assets, moment in document.items]
    rasters = []
    for asset, moment in own:
        with rasterio.open(os.path.join(document.folder, asset.path)) as file:
            rasters.append((asset, moment, file.read().astype("f8"), file.bounds))
    left = min(each[3].left for each in rasters)
    top = max(each[3].top for each in rasters)
    right = max(each[3].right for each in rasters)
    bottom = min(each[3].bottom for each in rasters)
    size = own[0][0].size
    shape = (own[0][0].count, round((top - bottom) / size), round((right - left) / size))
    expected = np.full((len(moments), *shape), np.nan)
    covered = np.zeros(expected.shape, bool)
    for asset, moment, data, bounds in rasters:
        meaning = meaning_of(asset)
        fill = meaning.get("_FillValue")
        row, column = round((top - bounds.top) / size), round((bounds.left - left) / size)
        where = (moments.index(moment), slice(None), slice(row, row + data.shape[1]), slice(column, column + data.shape[2]))
        missing = np.zeros(data.shape, bool) if fill is None else np.isnan(data) if fill != fill else data == fill
        values = data * meaning.get("scale_factor", 1) + meaning.get("add_offset", 0)
        expected[where] = np.where(missing, expected[where], values)
        covered[where] = True
    try:
        raw = array.values.astype("f8")
    except Exception as error:  # noqa: BLE001
        note(f"{path} values", "readable", error, refusal_in(error))
        return
    fill = array.attrs.get("_FillValue")
    fill = fill if fill is None else float(fill)
    found = raw * float(array.attrs.get("scale_factor", 1)) + float(array.attrs.get("add_offset", 0))
    if fill is not None:
        found = np.where(np.isnan(raw) if fill != fill else raw == fill, np.nan, found)
    if array.ndim == 3:
        expected, covered = expected[:, 0], covered[:, 0]
    if fill is None:
        # Without a value for missing points, those that no file covers read as zero, with a warning.
        expected = np.where(covered, expected, np.nan if np.issubdtype(array.dtype, np.floating) else float(array.attrs.get("add_offset", 0)))
    difference = first_difference(expected, found, rtol=1e-6, atol=1e-6)
    if difference is not None:
        note(f"{path} at {difference[0]}", difference[1], difference[2], first_of(told, path))


def main():
    warnings.simplefilter("ignore")
    service, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    only = int(sys.argv[5]) if len(sys.argv) > 5 else None
    report = Report(ELEMENTS)
    for index in range(count) if only is None else [only]:
        own = os.path.join(folder, f"{seed}-{index}")
        os.makedirs(own, exist_ok=True)
        document = Document(np.random.default_rng([seed, index]), own, index)
        try:
            name = build(document)
            compare(service, document, name, report)
            report.count(dict.fromkeys(document.elements))
            report.documents += 1
        except Exception as error:  # noqa: BLE001
            trace = traceback.format_exc().strip().split("\n")
            report.differ(index, "failure", "\n".join(document.texts.values()) + f"\n  ({', '.join(document.elements)})", "no failure", f"{type(error).__name__}: {str(error)[:300]} {trace[-3] if len(trace) > 3 else ''}")
        if only is None:
            shutil.rmtree(own, ignore_errors=True)
    report.write()


if __name__ == "__main__":
    main()
