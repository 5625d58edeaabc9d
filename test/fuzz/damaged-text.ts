/** Numbers, names and texts as no document should hold them. */
const ODD = [
  ...['-1', '0', '1e308', '-9223372036854775808', '9007199254740993', '4294967296', 'NaN', '1.5', 'null', 'true'],
  ...[
    '""',
    '"\\u0000"',
    '"../../x"',
    '"http://169.254.169.254/"',
    '"__proto__"',
    '[]',
    '{}',
    '[[[[[[[[]]]]]]]]',
    '[-1]',
  ],
  ...['"9999999999999999999999"', '"{{a}}"', '"%"', '"|V0"', '"<f8"', '"bytes"', '"sharding_indexed"', '2147483647'],
]

/** A number, or a text in quotes that names no member: what JSON, YAML and the attributes of XML have in common. */
const VALUES = /-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"(?!\s*:)/g

/** A copy of a document with some of its values replaced: by odd ones, or by others of its own. */
export function damagedText(whole: Uint8Array, random: Iterator<number, never>): Uint8Array {
  const below = (most: number) => Math.floor((random.next().value / 2 ** 32) * most)
  let text = Buffer.from(whole.buffer, whole.byteOffset, whole.length).toString('latin1')
  for (let changes = 1 + below(3); changes > 0; changes--) {
    const values = [...text.matchAll(VALUES)]
    const value = values[below(values.length)]
    if (value === undefined) break
    const other = below(4) === 0 ? values[below(values.length)]?.[0] : ODD[below(ODD.length)]
    text = text.slice(0, value.index) + other + text.slice(value.index + value[0].length)
  }
  return Buffer.from(text, 'latin1')
}

/** Whether a member of a source is a document of text. */
export function isText(path: string): boolean {
  return /\.(?:json|ya?ml|dmrpp|zarray|zattrs|zgroup|zmetadata|xml)$/.test(path)
}
