"""Writes jpegls.jsonl with CharLS (by imagecodecs, pyjpegls and hdf5plugin), which shares no code with this project.

Run by hand, with imagecodecs, pyjpegls, h5py and hdf5plugin installed: python test/codecs/vectors/make-jpegls.py
Each vector: as in hdf5.jsonl.
"""
import base64, hashlib, json, pathlib, tempfile
import h5py, hdf5plugin, imagecodecs, jpeg_ls, numpy as np

rng = np.random.default_rng(5)
lines = []


def vector(id, stored, decoded, codecs=(), kind="uint"):
    content = np.ascontiguousarray(decoded).astype(decoded.dtype.newbyteorder("<")).tobytes()
    lines.append(json.dumps({
        "id": f"jpeg-ls {id}",
        "codecs": [*codecs, {"name": "bytes", "configuration": {"endian": "little"}}, {"name": "vz.jpegls", "configuration": {}}],
        "dataType": {"kind": kind, "bits": decoded.dtype.itemsize * 8},
        "shape": list(decoded.shape),
        "stored": base64.b64encode(bytes(stored)).decode(),
        "length": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }))


def picture(kind, most, h, w, n):
    y, x, c = np.mgrid[:h, :w, :n]
    if kind == "smooth":
        values = (np.sin(x / 9) + np.cos(y / 7) + 2) / 4 * (c + 1) / n * most + rng.normal(0, most / 200 + 0.3, x.shape)
    elif kind == "noise":
        values = rng.integers(0, most + 1, x.shape)
    elif kind == "flat":
        values = np.full(x.shape, most // 3)
    else:
        values = np.repeat(rng.integers(0, most + 1, (h, (w + 6) // 7, n)), 7, axis=1)[:, :w]
    array = np.clip(values, 0, most).astype("u1" if most < 256 else "u2")
    return array[:, :, 0] if n == 1 else array


for most in (255, 65535, 1000):
    for h, w in ((17, 23), (1, 1), (1, 60), (50, 1)):
        for kind in ("smooth", "noise", "flat", "steps"):
            for near in (0, 3):
                image = picture(kind, most, h, w, 1)
                stored = imagecodecs.jpegls_encode(image, level=near)
                vector(f"{kind} to {most}, {h} x {w}, near {near}", stored, imagecodecs.jpegls_decode(stored))

for mode, name in ((0, "planes"), (1, "rows"), (2, "samples")):
    for most in (255, 65535):
        for kind in ("smooth", "steps"):
            image = picture(kind, most, 12, 15, 3)
            # CharLS wants planes for planes, and gives them back so.
            given = np.ascontiguousarray(image.transpose(2, 0, 1)) if mode == 0 else image
            stored = jpeg_ls.encode_array(given, interleave_mode=mode)
            vector(f"{kind} to {most} in {name}", stored, given)

with tempfile.TemporaryDirectory() as folder:
    with h5py.File(pathlib.Path(folder) / "a.h5", "w") as f:
        for dtype in ("u1", "i2", "<u2", ">u2"):
            image = picture("smooth", 200, 20, 30, 1).astype(dtype)
            d = f.create_dataset(dtype, data=image, chunks=image.shape, **hdf5plugin.FciDecomp())
            mask, stored = d.id.read_direct_chunk((0, 0))
            assert mask == 0
            # The filter knows no byte order: what comes out is as it went in.
            raw = image.view(image.dtype.newbyteorder("<"))
            vector(f"of HDF5's filter, {dtype}", stored, raw, kind="int" if dtype == "i2" else "uint")

path = pathlib.Path(__file__).with_name("jpegls.jsonl")
path.write_text("\n".join(lines) + "\n")
print(len(lines), path.stat().st_size)
