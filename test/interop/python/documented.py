"""What differs from the source or between clients, on purpose: one table each, every row with its reason.

A limit is asserted, not ignored: a client that reads what this table says it refuses is a failure too.
"""

import re

# (client, data type, reason): CL-2.
CLIENT_LIMITS = [
    ("tensorstore", "string", "tensorstore 0.1 has no text"),
]

# (case id, line of the comparison with xarray's reading of the source, reason)
DIFFERENCES = []

# (case id, error of xarray on the source itself, reason)
NATIVE_REFUSALS = [
    ("^zarr/", "GroupNotFoundError|ContainsArrayError", "an array at the root is no dataset"),
    ("^zarr/", "KeyError.*(_ARRAY_DIMENSIONS|dimension_names)", "xarray needs dimension names; the source has none"),
    ("^zarr/uint16_imagecodecs", "UnknownCodecError", "the oracle has no image codecs"),
    ("^netcdf3/fnoc1", "UFuncTypeError", "scale_factor is text, which xarray multiplies with (PACK-8 repairs it)"),
]


def client_limit(client, document):
    for name, data_type, reason in CLIENT_LIMITS:
        if name == client and document.get("data_type") == data_type:
            return reason
    return None


def is_documented(case, line):
    return any(re.search(cases, case["id"]) and re.search(pattern, line) for cases, pattern, _ in DIFFERENCES)


def native_refusal(case, error):
    text = f"{type(error).__name__}: {error}"
    return any(re.search(cases, case["id"]) and re.search(pattern, text) for cases, pattern, _ in NATIVE_REFUSALS)
