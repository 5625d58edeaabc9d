"""Reads TIFF files in codecs=native with zarr-python, which knows the codecs by virtual-tiff and imagecodecs.

argv[1] names a job: {"cases": [{"id", "url", "arrays": {path: sha256}}]}. Prints {"read", "failures": [text], "codecs": [name]}.
"""

import hashlib
import json
import sys
import warnings

import numpy as np
import zarr

warnings.simplefilter("ignore")


def main():
    job = json.load(open(sys.argv[1]))
    read, failures, codecs = 0, [], set()
    for case in job["cases"]:
        for path, expected in case["arrays"].items():
            try:
                array = zarr.open_array(f"{case['url']}{path}", mode="r", zarr_format=3)
                codecs.update(codec["name"] for codec in array.metadata.to_dict()["codecs"])
                read += 1
                if (found := digest(array[...])) != expected:
                    failures.append(f"{case['id']} {path}: {found}")
            except Exception as error:
                failures.append(f"{case['id']} {path}: {type(error).__name__}: {str(error)[:300]}")
    json.dump({"read": read, "failures": failures, "codecs": sorted(codecs)}, sys.stdout)


def digest(values):
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    return hashlib.sha256(little.tobytes()).hexdigest()


main()
