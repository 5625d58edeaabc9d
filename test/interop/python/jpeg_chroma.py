"""JPEG whose colours are stored at half the resolution: rasterio's wheels up to 1.4 bring libjpeg 9, as which the service decodes, newer ones
libjpeg-turbo, which interpolates colours instead (docs/decisions/0009-picture-decoders.md)."""

import numpy as np
import rasterio


def is_chroma_of_other(file):
    """Whether this rasterio decodes the colours of that file as the other library does."""
    is_newer = tuple(int(number) for number in rasterio.__version__.split(".")[:2]) >= (1, 5)
    return is_newer and file.profile.get("compress") == "jpeg" and file.profile.get("photometric") == "ycbcr"


def same_luma(one, other):
    """Brightness is stored of every point and decoded alike: it is the same, but for rounding, wherever no colour was cut off."""
    if one.shape != other.shape or len(one) != 3:
        return False
    one, other = np.asarray(one, "f8"), np.asarray(other, "f8")
    whole = ((one > 0) & (one < 255) & (other > 0) & (other < 255)).all(axis=0)
    difference = np.abs(np.tensordot([0.299, 0.587, 0.114], one - other, 1))
    return bool(whole.mean() > 0.1 and difference[whole].max() <= 1)
