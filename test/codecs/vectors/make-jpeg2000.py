"""Writes jpeg2000.jsonl with OpenJPEG, which shares no code with this project.

Run by hand, with numpy, a C compiler and libopenjp2 (Debian: libopenjp2-7-dev): python test/codecs/vectors/make-jpeg2000.py [COUNT [SEED [FILE]]]
Each line: a picture, and its samples as OpenJPEG decodes them, integers of 32 bits, component by component: their hash; deflated and in base64
where they were filtered with rounding.
"""
import base64, hashlib, json, os, pathlib, random, subprocess, sys, tempfile, zlib
import numpy as np

HERE = pathlib.Path(__file__).parent
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 90
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
FILE = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else HERE / "jpeg2000.jsonl"
rng = np.random.default_rng(SEED)
random.seed(SEED)
# Bypass, reset, terminate, causal, predictable, marks.
STYLES = (1, 2, 4, 8, 16, 32)
DEPTHS = (1, 2, 5, 8, 8, 11, 12, 16, 16, 17, 20, 23, 24, 24, 25, 26, 27, 28, 29, 30, 31)
# Larger ones by hand: LARGE=1.
SHAPES = ((64, 64), (70, 50), (130, 90)) if "LARGE" in os.environ else ((1, 1), (1, 40), (33, 1), (2, 3), (17, 23), (31, 20), (5, 60), (40, 35))
ORDERS = ("LRCP", "RLCP", "RPCL", "PCRL", "CPRL")


def plane(bits, signed, height, width):
    y, x = np.mgrid[:height, :width]
    most = 2**bits - 1
    kind = random.choice(("smooth", "smooth", "noise", "flat", "steps", "sparse"))
    if kind == "smooth":
        values = (np.sin(x / 9.0) * np.cos(y / 7.0) + 1) / 2 * most + rng.normal(0, most / 300, x.shape)
    elif kind == "noise":
        values = rng.integers(0, most + 1, x.shape).astype(float)
    elif kind == "flat":
        values = np.full(x.shape, most // 3, float)
    elif kind == "steps":
        values = (x // 7 * 31 + y // 5 * 17) % 11 * (most / 10)
    else:
        values = np.where(rng.random(x.shape) < 0.03, most, 0).astype(float)
    values = np.clip(np.floor(values), 0, most).astype(np.int64)
    return values - (2 ** (bits - 1) if signed else 0)


def maybe(chance, value, other):
    return value if random.random() < chance else other


def chosen(width, height, samples, bits):
    """What OpenJPEG is told."""
    rates = maybe(0.4 if bits <= 27 else 0, random.choice(([4], [8, 2], [20, 10, 3], [1], [10, 1], [20, 5, 0], [10, 0])), [0])
    return {
        "levels": random.randint(0, 5),
        "order": random.choice(ORDERS),
        "mode": maybe(0.6, sum(style for style in STYLES if random.random() < 0.35), 0),
        "block": maybe(0.6, random.choice(((4, 4), (8, 16), (32, 32), (16, 64), (128, 4), (4, 256))), (64, 64)),
        "tile": maybe(0.4, (random.randint(5, width + 9), random.randint(5, height + 9)), (0, 0)),
        "precincts": maybe(0.3, random.choice(([(16, 16)], [(32, 64), (16, 16)], [(128, 128), (8, 32)])), []),
        "marks": maybe(0.3, 2, 0) + maybe(0.3, 4, 0),
        "irreversible": maybe(0.25, 1, 0) if bits <= 24 else 0,
        "mixed": maybe(0.6, 1, 0) if samples == 3 else 0,
        "rates": rates,
        "parts": maybe(0.2, random.choice("RLC"), ""),
    }


def picture(program):
    """A line, or nothing where OpenJPEG refuses."""
    bits, signed = random.choice(DEPTHS), random.random() < 0.4
    height, width = random.choice(SHAPES)
    left, top = maybe(0.3, (random.randint(0, 40), random.randint(0, 40)), (0, 0))
    samples = random.choice((1, 1, 1, 1, 3, 4))
    planes = np.stack([plane(bits, signed, height, width) for _ in range(samples)])
    told = chosen(width, height, samples, bits)
    numbers = [width, height, left, top, samples, bits, int(signed), told["levels"], ORDERS.index(told["order"]), told["mode"], *told["block"]]
    numbers += [*told["tile"], len(told["precincts"]), *(side for pair in told["precincts"] for side in pair), told["marks"]]
    numbers += [told["irreversible"], told["mixed"], len(told["rates"]), *told["rates"], ord(told["parts"] or "\0")]
    given = " ".join(map(str, numbers)).encode() + b"\n" + planes.astype("<i4").tobytes()
    # Some of what it is told ends the library itself, or keeps it for ever.
    try:
        answer = subprocess.run([program], input=given, capture_output=True, timeout=20).stdout
    except subprocess.TimeoutExpired:
        return None
    length = int.from_bytes(answer[:4], "little")
    if length == 0:
        return None
    stored, decoded = answer[4 : 4 + length], answer[4 + length :]
    is_exact = decoded == planes.astype("<i4").tobytes()
    is_reversible = told["irreversible"] == 0
    # OpenJPEG writes what nobody can read where exponents of bands need more than their five bits, and single columns at odd places.
    if is_reversible and told["rates"][-1] == 0 and not is_exact:
        return None
    return {
        "id": f"{samples} x {height} x {width} at {left},{top}, {'int' if signed else 'uint'}{bits} {json.dumps(told)}",
        "bits": bits,
        "stored": base64.b64encode(stored).decode(),
        **(
            {"sha256": hashlib.sha256(decoded).hexdigest()}
            if is_reversible
            else {"samples": base64.b64encode(zlib.compress(decoded, 9)).decode()}
        ),
    }


with tempfile.TemporaryDirectory() as folder:
    binary = pathlib.Path(folder) / "encode"
    subprocess.run(["cc", "-O1", "-o", binary, HERE / "make-jpeg2000.c", "-lopenjp2"], check=True)
    lines = []
    while len(lines) < COUNT:
        line = picture(binary)
        if line is not None:
            lines.append(json.dumps(line))
FILE.write_text("".join(line + "\n" for line in lines))
