"""Reads every case of a job file (argv[1]) through the running service with every client; prints one JSON report.

A case: {"id", "format", "source": path of the file, "url": store URL, "golden": arrays of the golden file or null}.
The report: {"rows": [{"client", "case", "read", "refused", "failures": [text]}], "hashes": {case: {path: sha256}}}; rows of
xarray also count the groups "compared" with its own reader, and those that are "identical" without any allowance. The hashes are those of the oracle's values, for clients that are not written in Python.
"""

import json
import sys
import traceback
import urllib.request
import warnings

import numpy as np
import zarr

import clients
import documented
import oracle
import xarray_check


def main():
    job = json.load(open(sys.argv[1]))
    report = {"rows": [], "hashes": {}}
    for case in job["cases"]:
        try:
            report["rows"] += read_case(case, report["hashes"])
        except Exception as error:
            report["rows"].append({"client": "any", "case": case["id"], "read": 0, "refused": 0, "failures": [short(error)]})
    json.dump(report, sys.stdout)


def read_case(case, hashes):
    arrays = oracle.read_source(case)
    documents = served_documents(case["url"])
    skipped = documents[""].get("attributes", {}).get("virtual_zarr", {}).get("skipped", {})
    expected = {}
    for path, array in arrays.items():
        if path in skipped:
            continue
        served = served_path(documents, path)
        expected[served] = oracle.as_served(array, documents.get(served, {}))
    hashes[case["id"]] = {path: oracle.hash_of(array.values) for path, array in expected.items()}
    for name, make in clients.CLIENTS.items():
        with zarr.config.set(clients.ZARRS if name == "zarrs-python" else {}), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield read_with(name, make, case, expected, documents)
    if documents[""]["node_type"] == "group":
        for consolidated in (True, False):
            yield read_with_xarray(case, expected, documents, consolidated)


def served_documents(url):
    with urllib.request.urlopen(url + "zarr.json") as reply:
        root = json.load(reply)
    return {"": root, **root.get("consolidated_metadata", {}).get("metadata", {})}


def served_path(documents, path):
    """Names that break clients are replaced, the original is an attribute (TREE-7)."""
    parent = ""
    for name in path.split("/") if path else []:
        prefix = parent + "/" if parent else ""
        originals = {
            documents[key].get("attributes", {}).get("virtual_zarr:name"): key
            for key in documents
            if key.startswith(prefix) and "/" not in key[len(prefix):]
        }
        parent = prefix + name if prefix + name in documents else originals.get(name, prefix + name)
    return parent


def read_with(name, make, case, expected, documents):
    row = {"client": name, "case": case["id"], "read": 0, "refused": 0, "failures": []}
    client = attempt(row, "open", lambda: make(case["url"]))
    if client is None:
        return row
    for path, array in expected.items():
        limit = documented.client_limit(name, documents.get(path, {}))
        try:
            values = client.read(path)
        except clients.Refused as refusal:
            row["refused"] += 1
            if limit is None:
                row["failures"].append(f"{path}: refused, and no known limit says so: {refusal}")
            continue
        except Exception as error:
            row["failures"].append(f"{path}: {short(error)}")
            continue
        if limit is not None:
            row["failures"].append(f"{path}: {name} was expected to refuse ({limit}), and read it")
        compare(row, path, values, array)
    return row


def compare(row, path, values, array):
    problem = value_problem(np.asarray(values), array.values)
    if problem is None:
        row["read"] += 1
    else:
        row["failures"].append(f"{path}: {problem}")


def value_problem(values, expected):
    if values.shape != expected.shape:
        return f"shape {values.shape}, the source has {expected.shape}"
    if expected.dtype.kind == "O" or values.dtype.kind in "OTUS":
        same = [str(item) for item in values.ravel().tolist()] == [str(item) for item in expected.ravel().tolist()]
        return None if same else f"texts differ: {values.ravel()[:5]!r}, the source has {expected.ravel()[:5]!r}"
    if values.dtype.newbyteorder("=") != expected.dtype.newbyteorder("="):
        return f"type {values.dtype}, the source has {expected.dtype}"
    # Bit for bit: a NaN's payload and the sign of zero are values too.
    return None if oracle.canonical(values) == oracle.canonical(expected) else "values differ"


def read_with_xarray(case, expected, documents, consolidated):
    mode = "consolidated" if consolidated else "unconsolidated"
    row = {"client": f"xarray ({mode})", "case": case["id"], "read": 0, "refused": 0, "failures": [], "compared": 0, "identical": 0}
    groups = {path.rpartition("/")[0] for path in expected}
    for group in sorted(groups):
        raw = attempt(row, f"group {group!r}", lambda: xarray_check.loaded(lambda: xarray_check.open_served(case["url"], group, consolidated, {"decode_cf": False})))
        if raw is None:
            continue
        for path, array in expected.items():
            parent, _, name = path.rpartition("/")
            if parent != group:
                continue
            if name in raw[0].variables:
                compare(row, path, raw[0].variables[name].values, array)
            else:
                row["failures"].append(f"{path}: xarray does not show it")
        attempt(row, f"group {group!r} decoded", lambda: compare_decoded(row, case, group, consolidated))
    return row


def compare_decoded(row, case, group, consolidated):
    native, native_warnings, options = xarray_native(case, group)
    served, served_warnings = xarray_check.loaded(lambda: xarray_check.open_served(case["url"], group, consolidated, options))
    for message in sorted(documented.same_numbers(served_warnings) - documented.same_numbers(native_warnings)):
        row["failures"].append(f"group {group!r}: xarray warns: {message}")
    if native is None:
        return
    lines = xarray_check.differences(*xarray_check.comparable(served, native))
    for line in lines:
        if not documented.is_documented(case, line):
            row["failures"].append(f"group {group!r}: {line}")
    row["compared"] += 1
    row["identical"] += served.identical(native)


def xarray_native(case, group):
    """xarray's own reading of the source, its warnings, and the options that it took; None where xarray can't read the source."""
    try:
        return *xarray_check.loaded(lambda: xarray_check.open_native(case, group, {})), {}
    except Exception as error:
        if documented.native_refusal(case, error):
            return None, set(), {}
        if "unable to decode time" not in str(error):
            raise
        options = {"decode_times": False}
        return *xarray_check.loaded(lambda: xarray_check.open_native(case, group, options)), options


def attempt(row, what, action):
    try:
        return action()
    except Exception as error:
        row["failures"].append(f"{what}: {short(error)}")
        return None


def short(error):
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:300]} ({where.filename.rpartition('/')[2]}:{where.lineno})"


main()
