// TIFF 6.0 sections 10 and 11: the three ways of fax machines, inside of TIFF.
import { overLimit, unsupported } from '../../errors.ts'
import { requireInteger } from '../configuration.ts'
import { internalSerial } from '../internal.ts'
import { CcittRows } from '../kernels/ccitt-rows.ts'
import { reversedBits } from './lzw.ts'
import { samplesOfRow } from './unpack.ts'

const RUN_LENGTHS = 2
const GROUP_3 = 3
const GROUP_4 = 4

/** Two rows of changes are held, of four bytes a pixel. */
const MOST_COLUMNS = 2 ** 24

const TWO_DIMENSIONS = 1
const UNCOMPRESSED = 2

/** Runs of white and black. Black is 1. */
export const tiffCcitt = internalSerial<FaxParameters>({
  name: 'vz.tiff-ccitt',
  prepare: ({ compression, options = 0, fillOrder = 1 }, layout) => {
    requireInteger('compression', compression, RUN_LENGTHS, GROUP_4)
    if (options & UNCOMPRESSED) throw unsupported('CCITT extensions', 'the uncompressed mode of CCITT is not decoded')
    const columns = samplesOfRow(layout)
    const rows = layout.shape[0] ?? 1
    if (columns > MOST_COLUMNS) {
      throw overLimit(`a CCITT row has ${columns} pixels, at most ${MOST_COLUMNS} are decoded`)
    }
    return {
      decode: (bytes) => {
        const reader = new CcittRows(fillOrder === 2 ? reversedBits(bytes) : bytes, columns)
        const pixels = new Uint8Array(rows * columns)
        for (let row = 0; row < rows; row++) {
          if (compression === GROUP_4) reader.readBelow()
          else if (compression === GROUP_3) readGroup3(reader, (options & TWO_DIMENSIONS) !== 0)
          else reader.readAlone()
          reader.paint(pixels.subarray(row * columns, (row + 1) * columns))
          if (compression === RUN_LENGTHS) reader.align()
        }
        return { kind: 'fixed', bytes: pixels }
      },
    }
  },
})

interface FaxParameters {
  /** TIFF's number of it. */
  readonly compression: number
  /** T4Options or T6Options. */
  readonly options?: number
  /** TIFF's: 2 where the lowest bit of each byte comes first. */
  readonly fillOrder?: 1 | 2
}

/** Some writers leave out the end of line before a row, and with it the bit that says how the row is coded. */
function readGroup3(reader: CcittRows, twoDimensions: boolean): void {
  const tagged = reader.skipEnd() && twoDimensions
  if (tagged && reader.read(1) === 0) reader.readBelow()
  else reader.readAlone()
}
