"""What differs from the source or between clients, on purpose: one table each, every row with its reason.

A limit is asserted, not ignored: a client that reads what this table says it refuses is a failure too.
"""

import re

# (client, data type, when it refuses, reason): CL-2.
CLIENT_LIMITS = [
    ("tensorstore", "string", "open", "tensorstore 0.1 has no text"),
    ("zarrs-python", "string", "chunk", "zarrs-python 0.2 leaves text to zarr-python, unless told not to"),
]

# (case id, line of the comparison with xarray's reading of the source, reason)
DIFFERENCES = [
    ("^netcdf3/madis-sao", "^staticIds: values differ$", "FV-9: the fill value of single characters is no sentinel of the joined text"),
    ("^netcdf3/nc_test_cdf5", "^t: attribute c is None", "JSON-7: bytes that are not UTF-8 are dropped, with a diagnostic"),
]

# (case id, error of xarray on the source itself, reason)
NATIVE_REFUSALS = [
    ("^zarr/", "GroupNotFoundError|ContainsArrayError", "an array at the root is no dataset"),
    ("^zarr/", "KeyError.*(_ARRAY_DIMENSIONS|dimension_names)", "xarray needs dimension names; the source has none"),
    ("^zarr/uint16_imagecodecs", "UnknownCodecError", "the oracle has no image codecs"),
    ("^netcdf3/fnoc1", "UFuncTypeError", "scale_factor is text, which xarray multiplies with (PACK-8 repairs it)"),
]


def client_limit(client, document):
    for name, data_type, when, reason in CLIENT_LIMITS:
        if when == "chunk" and 0 in document.get("shape", ()):
            continue
        if name == client and document.get("data_type") == data_type:
            return reason
    return None


def is_documented(case, line):
    return any(re.search(cases, case["id"]) and re.search(pattern, line) for cases, pattern, _ in DIFFERENCES)


def native_refusal(case, error):
    text = f"{type(error).__name__}: {error}"
    return any(re.search(cases, case["id"]) and re.search(pattern, text) for cases, pattern, _ in NATIVE_REFUSALS)


def same_numbers(messages):
    """A float32 comes through JSON as the double that it is: the type is no difference in a message."""
    return {re.sub(r"np\.\w+\(([^()]*)\)", r"\1", message) for message in messages}
