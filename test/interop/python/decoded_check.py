"""Compares what `virtual-zarr read --decoded --json` prints with what xarray shows of the same files.

Each line of standard input is a JSON object with the file, the array and the printed values. Prints what differs.
"""

import json
import sys

import numpy as np
import xarray as xr


def difference(ours: list, theirs: np.ndarray) -> str | None:
    flat = np.array(ours, dtype=object).reshape(theirs.shape).ravel()
    if theirs.dtype.kind == "M":
        dates = np.array([np.datetime64(text or "NaT", "ms") for text in flat])
        wanted = theirs.astype("M8[ms]").ravel()
        same = (dates == wanted) | (np.isnat(dates) & np.isnat(wanted))
        return None if same.all() else f"{dates[:3]} is not {wanted[:3]}"
    if theirs.dtype.kind in "OTUS":
        texts = [text.decode() if isinstance(text, bytes) else text for text in theirs.ravel().tolist()]
        return None if flat.tolist() == texts else f"{flat[:3]} is not {texts[:3]}"
    numbers = np.array([np.nan if value is None else float(value) for value in flat])
    wanted = theirs.ravel().astype(float)
    if (np.isnan(numbers) != np.isnan(wanted)).any():
        return f"{np.isnan(numbers).sum()} values are missing, not {np.isnan(wanted).sum()}"
    close = np.allclose(numbers, wanted, rtol=1e-6, equal_nan=True)
    return None if close else f"{numbers[:3]} is not {wanted[:3]}"


compared = 0
for line in sys.stdin:
    case = json.loads(line)
    with xr.open_dataset(case["file"]) as dataset:
        problem = difference(case["values"], dataset[case["array"]].values)
    compared += 1
    if problem is not None:
        print(f"{case['file']} {case['array']}: {problem}")
print(f"compared {compared}")
