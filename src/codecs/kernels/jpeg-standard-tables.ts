// ITU-T T.81 annex K.3: the Huffman tables that most writers use, and that streams may leave out (as those of video do).
import { type HuffmanTable, huffmanTable } from './jpeg-huffman.ts'

type Tables = ReadonlyMap<number, HuffmanTable>

/** Tables K.3 and K.4, by number: of brightness, of colours. */
export const STANDARD_DC: Tables = tables(
  ['00010501010101010100000000000000', '000102030405060708090a0b'],
  ['00030101010101010101010000000000', '000102030405060708090a0b'],
)

/** Tables K.5 and K.6. */
export const STANDARD_AC: Tables = tables(
  [
    '0002010303020403050504040000017d',
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637' +
      '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3' +
      'a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  ],
  [
    '00020102040403040705040400010277',
    '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536' +
      '3738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999a' +
      'a2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
  ],
)

function tables(...spelled: readonly (readonly [string, string])[]): Tables {
  return new Map(
    spelled.map(([counts, values], number) => [
      number,
      huffmanTable(Buffer.from(counts, 'hex'), Buffer.from(values, 'hex')),
    ]),
  )
}
