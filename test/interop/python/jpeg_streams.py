"""Writes JPEG streams of any sampling factors: random quantised coefficients, coded with tables that hold every symbol.

No encoder writes factors like 3 x 1 beside 1 x 2; a decoder has to bring such components to the picture's size all the same.
"""

import struct

import numpy as np


class Bits:
    def __init__(self):
        self.data = bytearray()
        self.word = 0
        self.count = 0

    def put(self, value, length):
        for at in range(length - 1, -1, -1):
            self.word = self.word << 1 | (value >> at & 1)
            self.count += 1
            if self.count == 8:
                self.data.append(self.word)
                if self.word == 255:
                    self.data.append(0)
                self.word = self.count = 0

    def pad(self):
        while self.count:
            self.put(1, 1)


def segment(marker, content):
    return bytes([255, marker]) + struct.pack(">H", len(content) + 2) + bytes(content)


# Codes of one length: 16 of 5 bits for means, 240 of 8 bits for the others (runs 0 to 15, sizes 0 to 14). A code of ones alone isn't used.
SYMBOLS = [run << 4 | size for run in range(16) for size in range(15)]


def table(kind, length, symbols):
    counts = [0] * 16
    counts[length - 1] = len(symbols)
    return segment(0xC4, [kind, *counts, *symbols])


TABLES = table(0x00, 5, list(range(16))) + table(0x10, 8, SYMBOLS)


def put_symbol(bits, symbol):
    bits.put(SYMBOLS.index(symbol), 8)


def put_value(bits, value, size):
    bits.put(value if value >= 0 else value + (1 << size) - 1, size)


class Picture:
    """`factors`: (horizontal, vertical) of each component."""

    def __init__(self, random, width, height, factors, precision=8, quantization=6):
        self.width, self.height, self.factors, self.precision = width, height, factors, precision
        self.across = max(h for h, _ in factors)
        self.down = max(v for _, v in factors)
        self.units = (-(-width // (8 * self.across)), -(-height // (8 * self.down)))
        # Sums that leave the range of 12 bits by far wrap around in GDAL's older library for them.
        self.quantization = [quantization * (6 if precision == 12 else 1)] * 64
        self.blocks = []
        for h, v in factors:
            rows, columns = self.units[1] * v, self.units[0] * h
            values = np.zeros((rows, columns, 64), int)
            values[..., 0] = random.integers(-160, 160, (rows, columns))
            values[..., 1:12] = random.integers(-40, 40, (rows, columns, 11)) * (random.random((rows, columns, 11)) < 0.4)
            values[..., 12:] = random.integers(-6, 6, (rows, columns, 52)) * (random.random((rows, columns, 52)) < 0.05)
            self.blocks.append(values)

    def shape_of(self, component):
        """Blocks of a scan that has this component alone."""
        h, v = self.factors[component]
        return -(-(-(-self.height * v // self.down)) // 8), -(-(-(-self.width * h // self.across)) // 8)

    def frame(self, progressive):
        content = struct.pack(">BHHB", self.precision, self.height, self.width, len(self.factors))
        for component, (h, v) in enumerate(self.factors):
            content += bytes([component + 1, h << 4 | v, 0])
        return segment(0xC2 if progressive else 0xC1 if self.precision == 12 else 0xC0, content)

    def head(self, progressive=False, restart=0):
        return (
            b"\xff\xd8"
            + self.quantization_segment()
            + TABLES
            + self.frame(progressive)
            + (segment(0xDD, struct.pack(">H", restart)) if restart else b"")
        )

    def quantization_segment(self):
        if max(self.quantization) < 256:
            return segment(0xDB, [0, *self.quantization])
        return segment(0xDB, [0x10, *b"".join(struct.pack(">H", each) for each in self.quantization)])

    def scan(self, components, first, last, high, low, restart):
        """One scan; `high` is 0 or the bit that was coded before."""
        content = bytes([len(components)]) + b"".join(bytes([each + 1, 0]) for each in components)
        out = bytearray(segment(0xDA, content + bytes([first, last, high << 4 | low])))
        units = list(self.units_of(components))
        interval = restart or len(units)
        for number, start in enumerate(range(0, len(units), interval)):
            if number:
                out += bytes([255, 0xD0 + (number - 1) % 8])
            bits = Bits()
            means = {}
            for unit in units[start : start + interval]:
                for component, row, column in unit:
                    block = self.blocks[component][row, column]
                    if high:
                        refine(bits, block, first, last, low)
                    else:
                        if first == 0:
                            mean = int(block[0]) >> low
                            difference = mean - means.get(component, 0)
                            means[component] = mean
                            size = abs(difference).bit_length()
                            bits.put(size, 5)
                            put_value(bits, difference, size)
                        put_band(bits, block, max(first, 1), last, low)
            bits.pad()
            out += bits.data
        return bytes(out)

    def units_of(self, components):
        if len(components) == 1:
            rows, columns = self.shape_of(components[0])
            for row in range(rows):
                for column in range(columns):
                    yield [(components[0], row, column)]
            return
        for y in range(self.units[1]):
            for x in range(self.units[0]):
                yield [
                    (component, y * self.factors[component][1] + i, x * self.factors[component][0] + j)
                    for component in components
                    for i in range(self.factors[component][1])
                    for j in range(self.factors[component][0])
                ]

    def sequential(self, restart=0, alone=False):
        everything = list(range(len(self.factors)))
        scans = [[each] for each in everything] if alone else [everything]
        return self.head(False, restart) + b"".join(self.scan(each, 0, 63, 0, 0, restart) for each in scans) + b"\xff\xd9"

    def progressive(self, restart=0):
        everything = list(range(len(self.factors)))
        scans = [self.scan(everything, 0, 0, 0, 1, restart), self.scan(everything, 0, 0, 1, 0, restart)]
        for each in everything:
            scans += [self.scan([each], *band, restart) for band in ((1, 5, 0, 1), (6, 63, 0, 1), (1, 63, 1, 0))]
        return self.head(True, restart) + b"".join(scans) + b"\xff\xd9"


def put_band(bits, block, first, last, low):
    run = 0
    for at in range(first, last + 1):
        value = int(block[at])
        value = -(-value >> low) if value < 0 else value >> low
        if value == 0:
            run += 1
            continue
        while run > 15:
            put_symbol(bits, 0xF0)
            run -= 16
        size = abs(value).bit_length()
        put_symbol(bits, run << 4 | size)
        put_value(bits, value, size)
        run = 0
    if run and last >= first:
        put_symbol(bits, 0)


def refine(bits, block, first, last, low):
    """T.81 G.1.2.3: the next bit of what was coded, and what becomes other than zero by it."""
    if first == 0:
        bits.put(int(block[0]) >> low & 1, 1)
        return
    values = [abs(int(block[at])) >> low for at in range(first, last + 1)]
    ends = max((at for at, value in enumerate(values) if value == 1), default=-1)
    run = 0
    pending = []
    for at, value in enumerate(values):
        if value == 0:
            run += 1
            continue
        while run > 15 and at <= ends:
            put_symbol(bits, 0xF0)
            for bit in pending:
                bits.put(bit, 1)
            pending = []
            run -= 16
        if value > 1:
            pending.append(value & 1)
            continue
        put_symbol(bits, run << 4 | 1)
        bits.put(1 if block[first + at] > 0 else 0, 1)
        for bit in pending:
            bits.put(bit, 1)
        pending = []
        run = 0
    if run or pending:
        put_symbol(bits, 0)
        for bit in pending:
            bits.put(bit, 1)


def as_tiff(picture, stream):
    """A TIFF whose one strip is the stream."""
    samples = len(picture.factors)
    fields = {
        256: (3, [picture.width]), 257: (3, [picture.height]), 258: (3, [picture.precision] * samples), 259: (3, [7]),
        262: (3, [6]), 273: (4, [8]), 277: (3, [samples]), 278: (3, [picture.height]), 279: (4, [len(stream)]),
        284: (3, [1]), 530: (3, list(picture.factors[0])),
    }  # fmt: skip
    body = b"II*\0" + struct.pack("<I", 8 + len(stream) + len(stream) % 2) + stream.ljust(len(stream) + len(stream) % 2, b"\0")
    at = len(body) + 2 + 12 * len(fields) + 4
    entries, beyond = b"", b""
    for tag, (kind, values) in sorted(fields.items()):
        packed = struct.pack(f"<{len(values)}{'H' if kind == 3 else 'I'}", *values)
        place = packed.ljust(4, b"\0") if len(packed) <= 4 else struct.pack("<I", at + len(beyond))
        beyond += b"" if len(packed) <= 4 else packed + b"\0" * (len(packed) % 2)
        entries += struct.pack("<HHI", tag, kind, len(values)) + place
    return body + struct.pack("<H", len(fields)) + entries + bytes(4) + beyond
