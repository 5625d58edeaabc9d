// TIFF 6.0 sections 10 and 11: the three ways of fax machines, inside of TIFF.
import { overLimit, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { SerialCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
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

/** Runs of white and black: `compression` as in TIFF, `options` those of its T4Options or T6Options, `fillOrder`. Black is 1. */
export const tiffCcitt: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-ccitt',
  reach: 'internal',
  check: (configuration) => {
    faxOf(configuration)
  },
  decode: (bytes, layout, configuration) => {
    const { compression, options, reversed } = faxOf(configuration)
    const columns = samplesOfRow(layout)
    const rows = layout.shape[0] ?? 1
    if (columns > MOST_COLUMNS)
      throw overLimit(`a CCITT row has ${columns} pixels, at most ${MOST_COLUMNS} are decoded`)
    const reader = new CcittRows(reversed ? reversedBits(bytes) : bytes, columns)
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

function faxOf(configuration: JsonObject) {
  const options = integerMember(configuration, 'options', { least: 0, most: 2 ** 32 - 1, fallback: 0 })
  if (options & UNCOMPRESSED) throw unsupported('CCITT extensions', 'the uncompressed mode of CCITT is not decoded')
  return {
    options,
    compression: integerMember(configuration, 'compression', { least: RUN_LENGTHS, most: GROUP_4 }),
    reversed: integerMember(configuration, 'fillOrder', { least: 1, most: 2, fallback: 1 }) === 2,
  }
}

/** Some writers leave out the end of line before a row, and with it the bit that says how the row is coded. */
function readGroup3(reader: CcittRows, twoDimensions: boolean): void {
  const tagged = reader.skipEnd() && twoDimensions
  if (tagged && reader.read(1) === 0) reader.readBelow()
  else reader.readAlone()
}
