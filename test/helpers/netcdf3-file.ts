/** Writes the parts of a NetCDF classic file, big-endian as its specification says. */
function words(...values: readonly (number | string | Uint8Array)[]): Buffer {
  const parts = values.map((value) => {
    if (typeof value === 'number') {
      const word = Buffer.alloc(4)
      word.writeInt32BE(value)
      return word
    }
    if (typeof value === 'string') return words(value.length, padded(Buffer.from(value)))
    return Buffer.from(value)
  })
  return Buffer.concat(parts)
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

/** A CDF-1 file: `temperature(y: rows, x: columns)` as float32 holding 0, 1, 2, … plus `first`, with a `_FillValue`. */
export function netcdf3File({ rows = 8, columns = 5, first = 0 } = {}): Uint8Array {
  const DIMENSION = 10
  const VARIABLE = 11
  const ATTRIBUTE = 12
  const FLOAT = 5
  const fill = Buffer.alloc(4)
  fill.writeFloatBE(-9999)
  const header = (begin: number) =>
    Buffer.concat([
      Buffer.from('CDF\x01', 'latin1'),
      words(0, DIMENSION, 2, 'y', rows, 'x', columns, 0, 0),
      words(
        VARIABLE,
        1,
        'temperature',
        2,
        0,
        1,
        ATTRIBUTE,
        1,
        '_FillValue',
        FLOAT,
        1,
        fill,
        FLOAT,
        rows * columns * 4,
        begin,
      ),
    ])
  const data = Buffer.alloc(rows * columns * 4)
  for (let i = 0; i < rows * columns; i++) data.writeFloatBE(first + i, i * 4)
  return Buffer.concat([header(header(0).length), data])
}
