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
    ("^(hdf5|fixtures|examples)/", "attribute flag_(values|meanings) is .* instead of None", "an enum is its integer, with what it means as CF flags"),
    ("^hdf5/", "attribute (missing_value is None instead of 'NaN'|_FillValue is None instead of b)", "FV-9, FV-12: no plain JSON spelling; xarray would not open it"),
    ("^hdf5/netcdfc__ref_tst_(compounds|xplatform|irish)", "dataset: attribute .* is .*{", "records in attributes have their field names"),
    ("^hdf5/", "variable (var|x|cmp|obs\\w*) only in native", "a record is a group of its fields"),
    ("^hdf5/(gen/nc4_full_a|netcdfjava__test_vlen)", "variable v[l1] only in native", "sequences of varying length are a group of values and lengths"),
    ("^hdf5/pyfive2__h5netcdf_test", " z: attribute missing_value is 'X' instead of None$", "FV-9: the sentinel of text is a plain missing_value"),
    ("^hdf5/netcdfjava__test_vlen1", "^ValueError: dimensions \\(\\) must have", "xarray can't read a scalar sequence by its own engines"),
    ("^hdf5/(netcdf4py__issue671|gen/nc4_full_a)", "(soil_moisture|temp): (type float64 instead of float32|values differ)", "a scale_factor in JSON has no type: xarray unpacks in double"),
    ("^hdf5/(netcdfc__f03tst_open_mem|gen/nc4_full_a)", "(var2|unlim2): values differ", "never written, without a fill value: netCDF4 shows what its memory holds"),
    ("^hdf5/malformed/bomb_deflate", "^bomb: ", "a stream that inflates to a thousand times its chunk is refused"),
    ("^netcdf3/nc_test_cdf5", "^t: attribute c is 'ÿ", "text that is not UTF-8 is read as Latin-1, with a diagnostic; netCDF4 puts U+FFFD in its place"),
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
