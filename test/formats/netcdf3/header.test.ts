import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { parseHeader, versionOf } from '../../../src/formats/netcdf3/header.ts'
import { HeaderCut } from '../../../src/formats/netcdf3/header-cursor.ts'
import { header, join, padded, type TestHeader, u32, u64 } from './build.ts'

const ONE_VARIABLE: TestHeader = {
  records: 3,
  dims: [
    { name: 'time', length: 0 },
    { name: 'x', length: 5 },
  ],
  attributes: [{ name: 'title', type: 2, value: 'abc' }],
  variables: [
    {
      name: 'v',
      dims: [0, 1],
      type: 3,
      begin: 1024,
      attributes: [{ name: 'n', type: 4, value: u32(7, 8) }],
      vsize: 12,
    },
  ],
}

function parse(description: TestHeader) {
  const bytes = header(description)
  return parseHeader(bytes, bytes.length)
}

function refuses(bytes: Uint8Array, message: RegExp, code: 'malformed-source' | 'limit-exceeded' = 'malformed-source') {
  assert.throws(
    () => parseHeader(bytes, bytes.length),
    (error) => isVirtualZarrError(error, code) && message.test(error.message),
  )
}

for (const version of [1, 2, 5] as const) {
  test(`a header of CDF-${version} is read with the widths of its version`, () => {
    const bytes = header({ ...ONE_VARIABLE, version })
    const found = parseHeader(bytes, bytes.length)
    assert.equal(found.version, version)
    assert.equal(found.records, 3)
    assert.equal(found.end, bytes.length)
    assert.deepEqual(found.dimensions, ONE_VARIABLE.dims)
    assert.deepEqual(found.variables[0]?.dimensions, [0, 1])
    assert.equal(found.variables[0]?.begin, 1024)
    assert.equal(found.variables[0]?.type.name, 'short')
    assert.deepEqual(found.variables[0]?.attributes[0]?.count, 2)
  })

  test(`all ones as the number of records of CDF-${version} mean that it is not known`, () => {
    assert.equal(parse({ version, records: -1 }).records, undefined)
  })
}

test('GEN-8: only CDF with version 1, 2 or 5 is recognised', () => {
  assert.equal(versionOf(Buffer.from('CDF\x01')), 1)
  for (const other of ['CDF\x03', 'CDF\x04', 'CDF', '', 'CD\x01F', '\x89HDF']) {
    assert.equal(versionOf(Buffer.from(other)), undefined)
  }
  refuses(Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), /begins with "89 48 44 46"/)
})

test('an offset beyond 4 GiB is read in CDF-2, one beyond 2^53 is malformed', () => {
  const at = (begin: number) => parse({ version: 2, variables: [{ name: 'v', dims: [], type: 1, begin }] })
  assert.equal(at(2 ** 40).variables[0]?.begin, 2 ** 40)
  assert.throws(() => at(2 ** 60), /beyond 2\^53/)
})

test('what the header says about the size of a variable is ignored', () => {
  assert.equal(
    parse({ variables: [{ name: 'v', dims: [], type: 1, begin: 100, vsize: 0xffffffff }] }).variables.length,
    1,
  )
})

test('padding may be of other bytes than NUL', () => {
  const bytes = join(Buffer.from('CDF\x01'), u32(0, 10, 1, 1), padded(Buffer.from('x'), 0x30), u32(4, 0, 0, 0, 0))
  assert.deepEqual(parseHeader(bytes, bytes.length).dimensions, [{ name: 'x', length: 4 }])
})

test('a name ends at its first NUL', () => {
  assert.equal(parse({ dims: [{ name: 'x\0\0', length: 2 }] }).dimensions[0]?.name, 'x')
})

test('a name that is not UTF-8 is taken for Latin-1, with a diagnostic', () => {
  const found = parse({ dims: [{ name: Buffer.from([0x64, 0xe9]), length: 2 }] })
  assert.equal(found.dimensions[0]?.name, 'dé')
  assert.deepEqual(
    found.diagnostics.map(({ code }) => code),
    ['name-encoding-guessed'],
  )
})

test('of two attributes with one name the first counts, with a diagnostic', () => {
  const twice = parse({
    attributes: [
      { name: 'a', type: 2, value: 'first' },
      { name: 'a', type: 2, value: 'second' },
    ],
  })
  assert.equal(Buffer.from(twice.attributes[0]?.bytes ?? []).toString(), 'first')
  assert.deepEqual(
    twice.diagnostics.map(({ code }) => code),
    ['attribute-repeated'],
  )
})

test('diagnostics of a hostile header are bounded', () => {
  const attributes = Array.from({ length: 1000 }, () => ({ name: 'a', type: 2, value: '' }))
  assert.equal(parse({ attributes }).diagnostics.length, 100)
})

test('names that are no names to JavaScript objects are names here', () => {
  const found = parse({ attributes: [{ name: '__proto__', type: 2, value: 'x' }] })
  assert.equal(found.attributes[0]?.name, '__proto__')
})

test('a header that goes on behind the bytes at hand says how many it needs', () => {
  const bytes = header(ONE_VARIABLE)
  for (let length = 4; length < bytes.length; length++) {
    assert.throws(
      () => parseHeader(bytes.subarray(0, length), bytes.length),
      (error) => error instanceof HeaderCut && error.needed > length && error.needed <= bytes.length,
      `cut at ${length}`,
    )
  }
})

test('a header that goes on behind the end of the file is malformed', () => {
  const bytes = header(ONE_VARIABLE)
  for (let length = 4; length < bytes.length; length++) refuses(bytes.subarray(0, length), /expected|declared/)
})

test('a list has the tag of its kind', () => {
  refuses(
    join(Buffer.from('CDF\x01'), u32(0, 11, 1, 0, 0, 0, 0, 0, 0)),
    /tag 11 before the list of dimensions, expected 10/,
  )
  refuses(join(Buffer.from('CDF\x01'), u32(0, 0, 1, 0, 0, 0, 0, 0, 0)), /tag 0/)
})

test('counts beyond the bytes of the file are refused before anything is allocated', () => {
  refuses(join(Buffer.from('CDF\x01'), u32(0, 10, 0x7fffffff)), /2147483647 dimensions .* room for 0/)
  refuses(join(Buffer.from('CDF\x01'), u32(0, 10, 0xffffffff)), /-1 dimensions/)
  refuses(join(Buffer.from('CDF\x05'), u64(0), u32(10), u64(2n ** 63n)), /beyond 2\^53/)
  refuses(join(Buffer.from('CDF\x05'), u64(0), u32(10), u64(2n ** 40n)), /1099511627776 dimensions/)
  refuses(join(Buffer.from('CDF\x01'), u32(0, 10, 1, 0x7ffffff0, 0)), /2147483632 bytes of a name/)
  refuses(header({ attributes: [{ name: 'a', type: 6, value: '', count: 2 ** 31 }] }), /2147483648 values/)
})

test('dimensions are refused that are negative, or a second record dimension', () => {
  refuses(header({ dims: [{ name: 'x', length: -1 }] }), /"x" has a negative length/)
  refuses(
    header({
      dims: [
        { name: 't', length: 0 },
        { name: 'u', length: 0 },
      ],
    }),
    /two record dimensions, "t" and "u"/,
  )
})

test('a variable is refused with a dimension that is not there, or with records as a later axis', () => {
  const dims = [
    { name: 'x', length: 2 },
    { name: 't', length: 0 },
  ]
  const variable = (...ids: number[]) => ({ name: 'v', dims: ids, type: 4, begin: 1024 })
  refuses(header({ dims, variables: [variable(2)] }), /"v" has dimension 2, where there are 2/)
  refuses(header({ dims, variables: [variable(-1)] }), /"v" has dimension -1/)
  refuses(header({ dims, variables: [variable(0, 1)] }), /record dimension as axis 1/)
  refuses(header({ dims, variables: [variable(0), variable(0)] }), /two variables are named "v"/)
  refuses(header({ variables: [{ name: '', dims: [], type: 4, begin: 64 }] }), /without a name/)
})

test('types that a version does not have are refused', () => {
  const typed = (version: 1 | 2 | 5, type: number) =>
    header({ version, variables: [{ name: 'v', dims: [], type, begin: 1024 }] })
  refuses(typed(1, 7), /type 7 .* CDF-1/)
  refuses(typed(2, 10), /type 10 .* CDF-2/)
  refuses(typed(5, 12), /type 12/)
  refuses(typed(5, 0), /type 0/)
  refuses(header({ attributes: [{ name: 'a', type: 9, value: u32(1) }] }), /type 9 of attribute "a"/)
})

test('what would take much memory to serve is over a limit', () => {
  refuses(header({ dims: [{ name: 'x'.repeat(2000), length: 1 }] }), /name of 2000 bytes/, 'limit-exceeded')
  const dims = [{ name: 'x', length: 1 }]
  const deep = { name: 'v', dims: new Array(70_000).fill(0), type: 1, begin: 1024 }
  refuses(header({ dims, variables: [deep] }), /more than 65536 axes/, 'limit-exceeded')
  const numbers = { name: 'a', type: 1, value: new Uint8Array(1_100_000) }
  refuses(header({ attributes: [numbers] }), /more than 524288 numbers/, 'limit-exceeded')
  const many = Array.from({ length: 70_000 }, () => ({ name: 'x', length: 1 }))
  refuses(header({ dims: many }), /70000 dimensions/, 'limit-exceeded')
  const pairs = Array.from({ length: 140_000 }, () => ({ name: 'a', type: 2, value: '' }))
  refuses(header({ attributes: pairs }), /more than 32768 attributes/, 'limit-exceeded')
  const names = Array.from({ length: 20_000 }, (_, i) => ({ name: `v${i}`, dims: [], type: 1, begin: 2 ** 24 }))
  refuses(header({ variables: names }), /20000 variables/, 'limit-exceeded')
})
