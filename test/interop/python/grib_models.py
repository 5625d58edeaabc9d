"""Files as weather centres write them, and all templates, levels, units and tables, beside cfgrib: `grib_models.py STORES FOLDER [NAME...]`.

STORES is the URL of a running service that may read FOLDER; only cases whose names begin so are made. `grib_models.py STORES FOLDER --names` compares what
parameters are called with ecCodes alone: all of the tables of 14 centres. Prints what differs. Needs: pip install cfgrib eccodes xarray zarr aiohttp."""

import base64
import itertools
import json
import pathlib
import sys
import tempfile
import urllib.request
import warnings

import cfgrib
import eccodes as ec
import numpy as np
import xarray as xr
from grib_sweep import differences

warnings.simplefilter("ignore")
CENTRES = ["ecmf", "kwbc", "edzw", "lfpw", "rjtd", "cwao", "egrr", "161"]
LATLON = {
    "Ni": 5, "Nj": 4, "latitudeOfFirstGridPointInDegrees": 40, "longitudeOfFirstGridPointInDegrees": 0,
    "latitudeOfLastGridPointInDegrees": 10, "longitudeOfLastGridPointInDegrees": 40, "iDirectionIncrementInDegrees": 10, "jDirectionIncrementInDegrees": 10,
}
# Of 16 columns and 31 rows, as ecCodes makes templates of Mercator; without steps, all of its points are the first one.
MERCATOR = {
    "latitudeOfFirstGridPointInDegrees": 0, "longitudeOfFirstGridPointInDegrees": 0, "latitudeOfLastGridPointInDegrees": 60,
    "longitudeOfLastGridPointInDegrees": 30, "jScansPositively": 1, "DiInMetres": 222397.847, "DjInMetres": 279688.011,
}
COUNT = [0]


def message(edition=2, grid=LATLON, sample=None, packing="grid_simple", refuse=True, **keys):
    """A message; keys are set in their order. None where ecCodes does not take one of them."""
    handle = ec.codes_grib_new_from_samples(sample or f"regular_ll_sfc_grib{edition}")
    try:
        for key, value in {**grid, **keys}.items():
            ec.codes_set(handle, key, value)
        if edition == 2 and "Ni" in grid:
            ec.codes_set(handle, "numberOfDataPoints", grid["Ni"] * grid["Nj"])
        count = ec.codes_get(handle, "numberOfDataPoints") if edition == 2 else ec.codes_get_size(handle, "values")
        COUNT[0] += 1
        ec.codes_set_values(handle, np.round(np.arange(count) * 0.5 + COUNT[0] % 300, 1))
        if packing != "grid_simple":
            ec.codes_set(handle, "packingType", packing)
        return ec.codes_get_message(handle)
    except ec.CodesInternalError:
        if refuse:
            raise
        return None
    finally:
        ec.codes_release(handle)


def present(messages):
    return [one for one in messages if one is not None]


def levels(centre):
    """Every type of surface, alone, as a layer and above another one."""
    for first in range(1, 255):
        for second in (255, first):
            surface = {"typeOfFirstFixedSurface": first, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 2}
            if second != 255:
                surface |= {"typeOfSecondFixedSurface": second, "scaleFactorOfSecondFixedSurface": 0, "scaledValueOfSecondFixedSurface": 4}
            yield f"levels-{centre}-{first}-{second}", lambda surface=surface: [message(centre=centre, parameterCategory=0, parameterNumber=0, **surface)]


def units_2():
    """Instants and statistics in every pair of units."""
    codes = [0, 1, 2, 3, 4, 10, 11, 12, 13]
    for unit in codes:
        yield f"instant-{unit}", lambda unit=unit: [
            message(**{"indicatorOfUnitForForecastTime": unit, "forecastTime": step}) for step in (0, 1, 2, 7)
        ]
    for unit, other in itertools.product(codes, codes):
        for process in (0, 1, 2):
            yield f"range-{unit}-{other}-{process}", lambda unit=unit, other=other, process=process: [
                message(
                    productDefinitionTemplateNumber=8, typeOfStatisticalProcessing=process, indicatorOfUnitForForecastTime=unit, forecastTime=start,
                    indicatorOfUnitForTimeRange=other, lengthOfTimeRange=length, typeOfTimeIncrement=2,
                )
                for start, length in ((0, 6), (6, 6), (3, 1))
            ]


def templates_2():
    """Every product template with its keys as they come."""
    for number in [*range(0, 16), 20, 30, 31, 32, 33, 34, 35, *range(40, 64), 67, 68, 70, 71, 72, 73, *range(76, 114), *range(124, 160), 254, 1000, 1001, 1002, 1100, 1101, 2000]:
        for process in range(0, 12) if number in (8, 11) else (None,):
            extra = {} if process is None else {"typeOfStatisticalProcessing": process, "lengthOfTimeRange": 6}
            yield f"template-{number}-{process}", lambda number=number, extra=extra: present(
                [message(refuse=False, productDefinitionTemplateNumber=number, **extra), message(refuse=False, dataDate=20240105, productDefinitionTemplateNumber=number, **extra)]
            )


def grids_2():
    """Every template of grids that ecCodes can make."""
    samples = [f"{grid}_{kind}_grib{edition}" for grid in ("regular_ll", "reduced_ll", "rotated_ll", "regular_gg", "reduced_gg", "rotated_gg", "reduced_rotated_gg", "stretched_gg", "reduced_stretched_gg", "polar_stereographic", "sh", "rotated_sh") for kind in ("sfc", "pl", "ml", "pl_32", "pl_128", "pl_640") for edition in (1, 2)]
    for name in samples:
        yield f"sample-{name}", lambda name=name: [message(grid={}, sample=name)]
    for kind in ("mercator", "transverse_mercator", "polar_stereographic", "lambert", "albers", "space_view", "lambert_azimuthal_equal_area", "unstructured_grid", "healpix", "stretched_ll", "stretched_rotated_ll", "rotated_ll", "triangular_grid", "equatorial_azimuthal_equidistant", "azimuth_range", "irregular_latlon", "cross_section", "Hovmoller", "time_section", "lambert_lam", "mercator_lam", "polar_stereographic_lam", "lambert_bf", "mercator_bf", "polar_stereographic_bf", "rotated_gg", "stretched_gg", "stretched_rotated_gg", "reduced_rotated_gg", "reduced_stretched_gg"):
        yield f"grid-{kind}", lambda kind=kind: present([message(refuse=False, grid={}, gridType=kind, **(MERCATOR if kind.startswith("mercator") else {}))])
    for number in [*range(0, 6), 10, 12, 13, 20, 23, 30, 31, 32, 33, *range(40, 44), *range(50, 54), 60, 61, 62, 63, 90, 100, 101, 110, 120, 130, 140, 150, 204, 1000, 1100, 1200, 32768, 32769]:
        yield f"gdtn-{number}", lambda number=number: present([message(refuse=False, grid={}, gridDefinitionTemplateNumber=number)])
    for order, nside in itertools.product(("ring", "nested"), (1, 2, 4)):
        yield f"healpix-{order}-{nside}", lambda order=order, nside=nside: [
            message(grid={"gridType": "healpix", "Nside": nside, "orderingConvention": order, "numberOfDataPoints": 12 * nside**2, "longitudeOfFirstGridPointInDegrees": 45})
        ]
    icon = {"gridType": "unstructured_grid", "numberOfDataPoints": 37, "numberOfGridUsed": 26, "numberOfGridInReference": 1, "shapeOfTheEarth": 6}
    yield "icon", lambda: [
        *[message(grid=icon, centre="edzw", typeOfLevel="generalVerticalLayer", level=level, shortName="t", packing="grid_ccsds") for level in (1, 2, 3)],
        *[message(grid=icon, centre="edzw", shortName=name, packing="grid_ccsds") for name in ("2t", "10u", "tp", "sp")],
        *[message(grid=icon, centre="edzw", typeOfLevel="generalVertical", level=level, shortName="wz", packing="grid_ccsds") for level in (1, 2, 3, 4)],
    ]


def scanning():
    for edition, (i, j, c, alternate) in itertools.product((1, 2), itertools.product((0, 1), repeat=4)):
        if edition == 1 and alternate:
            continue
        keys = {"iScansNegatively": i, "jScansPositively": j, "jPointsAreConsecutive": c}
        if alternate:
            keys["alternativeRowScanning"] = 1
        north, south, west, east = 40, 10, 0, 40
        keys |= {
            "latitudeOfFirstGridPointInDegrees": south if j else north, "latitudeOfLastGridPointInDegrees": north if j else south,
            "longitudeOfFirstGridPointInDegrees": east if i else west, "longitudeOfLastGridPointInDegrees": west if i else east,
        }
        yield f"scan-{edition}-{i}{j}{c}{alternate}", lambda edition=edition, keys=keys: [message(edition, {**LATLON, **keys})]


def ranges_1():
    """Every kind of time range, in every unit."""
    for centre in ("ecmf", "kwbc"):
        for indicator in [*range(0, 12), 51, 113, 114, 115, 116, 117, 118, 119, 123, 124, 125, *range(128, 142)]:
            for unit in (0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 254):
                yield f"tri-{centre}-{indicator}-{unit}", lambda centre=centre, indicator=indicator, unit=unit: [
                    message(1, centre=centre, indicatorOfUnitOfTimeRange=unit, P1=p1, P2=p2, timeRangeIndicator=indicator) for p1, p2 in ((0, 6), (6, 12), (0, 0))
                ]


def levels_1():
    for centre in ("ecmf", "kwbc", "edzw", "lfpw", "rjtd", "cwao"):
        for kind in range(1, 255):
            yield f"level1-{centre}-{kind}", lambda centre=centre, kind=kind: [
                message(1, centre=centre, indicatorOfTypeOfLevel=kind, indicatorOfParameter=11, table2Version=2, P1=0)
            ]


def parameters_1():
    """Tables of centres, all numbers of each."""
    for centre, sub, table in [("kwbc", 0, 2), ("kwbc", 0, 3), ("kwbc", 0, 128), ("kwbc", 0, 129), ("kwbc", 0, 130), ("kwbc", 0, 131), ("kwbc", 0, 133), ("kwbc", 0, 140), ("kwbc", 0, 141), ("ecmf", 0, 128), ("ecmf", 0, 140), ("ecmf", 0, 162), ("ecmf", 0, 228), ("edzw", 255, 2), ("edzw", 255, 201), ("edzw", 255, 202), ("lfpw", 0, 1), ("rjtd", 0, 200), ("rjtd", 241, 200), ("cwao", 0, 2), ("egrr", 0, 3), ("ammc", 0, 3), ("eswi", 0, 1), ("eidb", 0, 2), ("204", 0, 2)]:
        yield f"params1-{centre}-{sub}-{table}", lambda centre=centre, sub=sub, table=table: present(
            [message(1, refuse=False, centre=centre, subCentre=sub, table2Version=table, indicatorOfParameter=number) for number in range(1, 256)]
        )


def parameters_2():
    for centre in CENTRES:
        for discipline, categories in ((0, [*range(0, 22), 190, 191, 192, 201]), (1, range(0, 3)), (2, [0, 1, 3, 4, 5]), (3, range(0, 7)), (4, range(0, 11)), (10, [0, 1, 2, 3, 4, 191]), (192, [128, 162, 228, 254]), (209, range(0, 14))):
            for category in categories:
                yield f"params2-{centre}-{discipline}-{category}", lambda centre=centre, discipline=discipline, category=category: present(
                    [
                        message(refuse=False, centre=centre, localTablesVersion=1 if number > 191 else 0, discipline=discipline, parameterCategory=category, parameterNumber=number)
                        for number in [*range(0, 60), *range(192, 250)]
                    ]
                )


def gfs():
    own = {"centre": "kwbc", "generatingProcessIdentifier": 96, "typeOfGeneratingProcess": 2, "packing": "grid_complex_spatial_differencing"}
    for level in (100000, 85000, 50000, 1000, 100, 70, 40, 1):
        for number, category in ((0, 0), (5, 3), (2, 2)):
            yield message(parameterCategory=category, parameterNumber=number, typeOfFirstFixedSurface=100, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=level, forecastTime=6, **own)
    for height, number, category in ((2, 0, 0), (2, 1, 1), (10, 2, 2), (10, 3, 2), (80, 2, 2), (80, 0, 0), (100, 2, 2), (1000, 2, 2), (4000, 2, 2)):
        yield message(parameterCategory=category, parameterNumber=number, typeOfFirstFixedSurface=103, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=height, forecastTime=6, **own)
    for surface in (1, 2, 3, 4, 6, 7, 8, 10, 101, 200, 204, 211, 212, 213, 214, 215, 220, 222, 223, 224, 232, 233, 234, 235, 242, 243, 244):
        yield message(parameterCategory=0, parameterNumber=0, typeOfFirstFixedSurface=surface, forecastTime=6, **own)
    for top, bottom in ((0, 1), (1, 4), (4, 10), (10, 20)):
        soil = {"typeOfFirstFixedSurface": 106, "scaleFactorOfFirstFixedSurface": 1, "scaledValueOfFirstFixedSurface": top, "typeOfSecondFixedSurface": 106, "scaleFactorOfSecondFixedSurface": 1, "scaledValueOfSecondFixedSurface": bottom}
        yield message(discipline=2, parameterCategory=0, parameterNumber=192, localTablesVersion=1, forecastTime=6, **soil, **own)
        yield message(parameterCategory=0, parameterNumber=0, forecastTime=6, **soil, **own)
    for process, number, category, start in ((1, 8, 1, 0), (0, 7, 1, 0), (1, 10, 1, 0), (2, 4, 0, 3), (3, 5, 0, 3)):
        yield message(productDefinitionTemplateNumber=8, parameterCategory=category, parameterNumber=number, typeOfFirstFixedSurface=1, forecastTime=start, typeOfStatisticalProcessing=process, lengthOfTimeRange=6 - start, **own)
    for layer in ((3000, 0), (6000, 0)):
        yield message(localTablesVersion=1, parameterCategory=7, parameterNumber=8, typeOfFirstFixedSurface=103, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=layer[0], typeOfSecondFixedSurface=103, scaleFactorOfSecondFixedSurface=0, scaledValueOfSecondFixedSurface=layer[1], forecastTime=6, **own)
    for pv in (1, 2):
        yield message(parameterCategory=0, parameterNumber=0, typeOfFirstFixedSurface=109, scaleFactorOfFirstFixedSurface=9, scaledValueOfFirstFixedSurface=pv * 1000, forecastTime=6, **own)
    for sigma in (995, 100):
        yield message(parameterCategory=0, parameterNumber=0, typeOfFirstFixedSurface=104, scaleFactorOfFirstFixedSurface=3, scaledValueOfFirstFixedSurface=sigma, forecastTime=6, **own)


def hrrr():
    grid = {
        "gridType": "lambert", "shapeOfTheEarth": 6, "Nx": 6, "Ny": 4, "numberOfDataPoints": 24, "latitudeOfFirstGridPointInDegrees": 21.138123, "longitudeOfFirstGridPointInDegrees": 237.280472,
        "LaDInDegrees": 38.5, "LoVInDegrees": 262.5, "DxInMetres": 3000, "DyInMetres": 3000, "jScansPositively": 1, "Latin1InDegrees": 38.5, "Latin2InDegrees": 38.5, "uvRelativeToGrid": 1,
    }
    own = {"grid": grid, "centre": "kwbc", "localTablesVersion": 1, "packing": "grid_complex_spatial_differencing"}
    for minutes in (15, 30, 45, 60):
        yield message(parameterCategory=16, parameterNumber=196, typeOfFirstFixedSurface=10, indicatorOfUnitForForecastTime=0, forecastTime=minutes, **own)
        yield message(parameterCategory=2, parameterNumber=2, typeOfFirstFixedSurface=103, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=10, indicatorOfUnitForForecastTime=0, forecastTime=minutes, **own)
        yield message(productDefinitionTemplateNumber=8, parameterCategory=1, parameterNumber=8, typeOfFirstFixedSurface=1, indicatorOfUnitForForecastTime=0, forecastTime=minutes - 15, indicatorOfUnitForTimeRange=0, lengthOfTimeRange=15, typeOfStatisticalProcessing=1, **own)
    yield message(parameterCategory=7, parameterNumber=199, typeOfFirstFixedSurface=103, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=5000, typeOfSecondFixedSurface=103, scaleFactorOfSecondFixedSurface=0, scaledValueOfSecondFixedSurface=2000, **own)
    for level in (1000, 975, 950):
        yield message(parameterCategory=0, parameterNumber=0, typeOfLevel="isobaricInhPa", level=level, **own)
        yield message(parameterCategory=2, parameterNumber=8, typeOfLevel="isobaricInhPa", level=level, **own)
    for level in (1, 2, 3):
        yield message(parameterCategory=0, parameterNumber=0, typeOfFirstFixedSurface=105, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=level, **own)


def mrms():
    grid = {**LATLON, "Ni": 40, "Nj": 30, "latitudeOfFirstGridPointInDegrees": 54.995, "longitudeOfFirstGridPointInDegrees": 230.005, "latitudeOfLastGridPointInDegrees": 54.705, "longitudeOfLastGridPointInDegrees": 230.395, "iDirectionIncrementInDegrees": 0.01, "jDirectionIncrementInDegrees": 0.01}
    for category, number in ((6, 22), (10, 0), (8, 0), (3, 28), (11, 0), (7, 41)):
        for minute in (0, 200):
            yield message(grid=grid, centre=161, subCentre=0, localTablesVersion=1, discipline=209, parameterCategory=category, parameterNumber=number, dataTime=1300 + minute // 100, typeOfFirstFixedSurface=102, scaleFactorOfFirstFixedSurface=0, scaledValueOfFirstFixedSurface=500, packing="grid_png")


DATA = {"centre": "ecmf", "packing": "grid_ccsds"}


def open_data():
    own = DATA
    for step in (0, 3, 6):
        for name in ("2t", "10u", "10v", "msl", "sp", "tcwv", "skt", "ro"):
            yield message(shortName=name, step=step, **own)
        for level in (1000, 850, 500):
            for name in ("t", "u", "gh", "q", "r", "w", "vo", "d"):
                yield message(typeOfLevel="isobaricInhPa", level=level, shortName=name, step=step, **own)
        for layer in (1, 2, 3, 4):
            for name in ("sot", "vsw"):
                yield message(refuse=False, typeOfFirstFixedSurface=151, typeOfSecondFixedSurface=151, scaleFactorOfFirstFixedSurface=0, scaleFactorOfSecondFixedSurface=0, scaledValueOfFirstFixedSurface=layer - 1, scaledValueOfSecondFixedSurface=layer, paramId={"sot": 260360, "vsw": 260199}[name], step=step, **own)
    for wave in ("swh", "mwp", "mwd", "pp1d"):
        yield message(shortName=wave, step=0, **own)


def open_data_sums():
    for stop in (3, 6):
        for name in ("tp", "ssrd", "10fg", "mx2t3", "mn2t3"):
            yield message(refuse=False, shortName=name, stepRange=f"{stop - 3}-{stop}" if "2t3" in name or name == "10fg" else f"0-{stop}", **DATA)


def open_data_members():
    for number, step in itertools.product((1, 2, 3), (0, 6)):
        yield message(productDefinitionTemplateNumber=1, typeOfEnsembleForecast=3, perturbationNumber=number, numberOfForecastsInEnsemble=51, shortName="2t", step=step, **DATA)
        yield message(productDefinitionTemplateNumber=11, typeOfEnsembleForecast=3, perturbationNumber=number, numberOfForecastsInEnsemble=51, shortName="tp", stepRange=f"0-{step + 6}", **DATA)


def probabilities():
    for kind, lower, upper in ((0, 5, 10), (1, 5, 10), (3, 5, 10)):
        yield message(centre="kwbc", productDefinitionTemplateNumber=5, probabilityType=kind, scaleFactorOfLowerLimit=0, scaledValueOfLowerLimit=lower, scaleFactorOfUpperLimit=0, scaledValueOfUpperLimit=upper, forecastTime=6)
        yield message(centre="kwbc", productDefinitionTemplateNumber=9, probabilityType=kind, scaleFactorOfLowerLimit=0, scaledValueOfLowerLimit=lower, scaleFactorOfUpperLimit=0, scaledValueOfUpperLimit=upper, forecastTime=6, lengthOfTimeRange=6)
    for percentile in (10, 50, 90):
        yield message(centre="kwbc", productDefinitionTemplateNumber=6, percentileValue=percentile, forecastTime=6)
        yield message(centre="kwbc", productDefinitionTemplateNumber=10, percentileValue=percentile, forecastTime=6, lengthOfTimeRange=6)
    for derived in (0, 1, 2, 4):
        yield message(centre="kwbc", productDefinitionTemplateNumber=2, derivedForecast=derived, numberOfForecastsInEnsemble=30, forecastTime=6)
        yield message(centre="kwbc", productDefinitionTemplateNumber=12, derivedForecast=derived, numberOfForecastsInEnsemble=30, forecastTime=6, lengthOfTimeRange=6)


def reanalysis():
    """NCEP's of edition 1: tables of its own, averages and accumulations over many forecasts."""
    own = {"edition": 1, "centre": "kwbc", "generatingProcessIdentifier": 195}
    for table, number, level, value in ((2, 11, 105, 2), (2, 33, 105, 10), (2, 61, 1, 0), (2, 2, 102, 0), (132, 204, 1, 0), (2, 157, 116, 46080), (2, 144, 112, 10), (2, 54, 200, 0), (133, 11, 6, 0), (130, 160, 1, 0), (129, 219, 1, 0)):
        for indicator, p1, p2 in ((0, 6, 0), (3, 0, 6), (4, 0, 6), (10, 0, 6), (113, 0, 6), (123, 0, 6), (114, 0, 6), (51, 0, 0)):
            yield message(refuse=False, table2Version=table, indicatorOfParameter=number, indicatorOfTypeOfLevel=level, level=value, timeRangeIndicator=indicator, P1=p1, P2=p2, numberIncludedInAverage=124 if indicator > 100 else 0, **own)


def monthly():
    """Monthly means of ECMWF, of both editions."""
    for month in (1, 2, 3):
        for name in ("2t", "msl", "10u"):
            yield message(1, setLocalDefinition=1, marsStream="moda", marsType="an", shortName=name, dataDate=20200001 + month * 100, dataTime=0)
    for month in (1, 2):
        for lead in (1, 2):
            yield message(refuse=False, edition=1, setLocalDefinition=1, localDefinitionNumber=16, marsStream="msmm", marsType="fcmean", shortName="2t", dataDate=20200001 + month * 100, systemNumber=5, methodNumber=1, forecastMonth=lead, verifyingMonth=202000 + month + lead - 1)


def ensemble_1():
    for number, step, name in itertools.product((0, 1, 2), (0, 6), ("2t", "tp", "msl")):
        yield message(1, setLocalDefinition=1, localDefinitionNumber=1, marsClass="od", marsType="pf", marsStream="enfo", number=number, numberOfForecastsInEnsemble=51, shortName=name, step=step)


def nameless():
    """Parameters of which the tables have a number and no short name."""
    for number in (83, 88):
        yield message(1, centre="kwbc", table2Version=128, indicatorOfParameter=number)


def several_fields():
    """Wind in one message with its two components, as NCEP has it."""
    handles = []
    for number in (2, 3):
        handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
        for key, value in {**LATLON, "centre": "kwbc", "parameterCategory": 2, "parameterNumber": number, "typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": 10}.items():
            ec.codes_set(handle, key, value)
        ec.codes_set_values(handle, np.arange(20) + number * 10.0)
        handles.append(handle)
    multi = ec.codes_grib_multi_new()
    for handle in handles:
        ec.codes_grib_multi_append(handle, 4, multi)
    path = pathlib.Path(tempfile.mkdtemp()) / "multi.grib"
    with path.open("wb") as file:
        ec.codes_grib_multi_write(multi, file)
    yield path.read_bytes()


WHOLE = {one.__name__: one for one in (gfs, hrrr, mrms, open_data, open_data_sums, open_data_members, probabilities, reanalysis, monthly, ensemble_1, nameless, several_fields)}


def cases():
    for name, make in WHOLE.items():
        yield name, lambda make=make: present(list(make()))
    yield from grids_2()
    yield from scanning()
    yield from templates_2()
    yield from units_2()
    yield from ranges_1()
    for centre in CENTRES:
        yield from levels(centre)
    yield from levels_1()


def made(make):
    """Messages of a case; why ecCodes can't write them."""
    try:
        return make(), None
    except Exception as error:  # noqa: BLE001
        return [], str(error)[:120]


def url_of(stores, path):
    return f"{stores}zarr/~{base64.urlsafe_b64encode(path.as_uri().encode()).decode().rstrip('=')}/"


def compared(name, url, path, count):
    """Arrays that were compared, and what differs."""
    try:
        datasets = cfgrib.open_datasets(str(path), backend_kwargs={"indexpath": ""}, squeeze=True)
    except Exception as error:  # noqa: BLE001
        datasets = []
        print(f"{name}: cfgrib: {type(error).__name__} {str(error)[:200]}")
    try:
        groups = {node.path.strip("/"): node.to_dataset(inherit=True) for node in xr.open_datatree(url, engine="zarr").subtree}
    except Exception as error:  # noqa: BLE001
        return 0, [f"{count} messages: {type(error).__name__} {str(error)[:300]}"]
    expected = sum(len(dataset.data_vars) for dataset in datasets)
    served = sum(1 for group in groups.values() for variable in group.data_vars.values() if "GRIB_shortName" in variable.attrs)
    if expected != served:
        print(f"{name}: {served} arrays, cfgrib has {expected} of {count} messages")
    return expected, [difference for dataset in datasets for difference in differences(groups, dataset)]


NAMES = ("paramId", "shortName", "name", "units", "cfName", "cfVarName")


def names_of(message):
    handle = ec.codes_new_from_message(message)
    try:
        return tuple(str(ec.codes_get(handle, key)) for key in NAMES)
    finally:
        ec.codes_release(handle)


def served_names(url):
    with urllib.request.urlopen(f"{url}zarr.json") as answer:
        documents = json.load(answer)["consolidated_metadata"]["metadata"].values()
    found = [document["attributes"] for document in documents if "GRIB_shortName" in document.get("attributes", {})]
    return {tuple(str(attributes.get(f"GRIB_{key}", "0" if key == "paramId" else "unknown")) for key in NAMES) for attributes in found}


def compare_names(stores, folder):
    messages = differ = 0
    for name, make in [*parameters_1(), *parameters_2()]:
        parts, _ = made(make)
        if not parts:
            continue
        path = folder / f"names-{name}.grib"
        path.write_bytes(b"".join(parts))
        expected, own = {names_of(part) for part in parts}, served_names(url_of(stores, path))
        path.unlink()
        messages += len(parts)
        for missing in expected - own:
            differ += 1
            print(f"{name}: nothing is called {missing}")
    print(f"{messages} messages, {differ} differences")


def main():
    stores, folder, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    if wanted == ["--names"]:
        compare_names(stores, folder)
        return
    files = arrays = differ = 0
    for name, make in cases():
        if wanted and not any(name.startswith(one) for one in wanted):
            continue
        messages, fault = made(make)
        if fault is not None:
            print(f"{name}: ecCodes can't write it: {fault}")
        if not messages:
            continue
        path = folder / f"model-{name}.grib"
        path.write_bytes(b"".join(messages))
        count, found = compared(name, url_of(stores, path), path, len(messages))
        path.unlink()
        files, arrays, differ = files + 1, arrays + count, differ + len(found)
        for difference in found:
            print(f"{name}: {difference[:400]}", flush=True)
    print(f"{files} files, {arrays} arrays, {differ} differences")


if __name__ == "__main__":
    main()
