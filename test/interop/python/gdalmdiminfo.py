"""`gdalmdiminfo` of the GDAL library that pyogrio's wheel brings (3.12 or newer): the same function, without the program around it."""

import ctypes
import sys
from pathlib import Path

import pyogrio

MULTIDIM = 0x10
VERBOSE = 0x40

folder = Path(pyogrio.__file__).parent
library = next((folder.parent / "pyogrio.libs").glob("libgdal*"))
gdal = ctypes.CDLL(str(library))
text, handle = ctypes.c_char_p, ctypes.c_void_p
gdal.GDALVersionInfo.restype = text
gdal.GDALOpenEx.restype = handle
gdal.GDALOpenEx.argtypes = [text, ctypes.c_uint, handle, handle, handle]
gdal.GDALMultiDimInfoOptionsNew.restype = handle
gdal.GDALMultiDimInfoOptionsNew.argtypes = [ctypes.POINTER(text), handle]
gdal.GDALMultiDimInfo.restype = text
gdal.GDALMultiDimInfo.argtypes = [handle, handle]

if sys.argv[1:] == ["--version"]:
    print(gdal.GDALVersionInfo(b"--version").decode())
    sys.exit()

*flags, name = [word.encode() for word in sys.argv[1:]]
gdal.GDALAllRegister()
dataset = gdal.GDALOpenEx(name, MULTIDIM | VERBOSE, None, None, None)
if dataset is None:
    sys.exit(1)
options = gdal.GDALMultiDimInfoOptionsNew((text * (len(flags) + 1))(*flags, None), None)
found = gdal.GDALMultiDimInfo(dataset, options)
if found is None:
    sys.exit(1)
print(found.decode())
