import { documentOf } from '../formats/dmrpp/parse.ts'
import { type Bomb, text, times, zarray } from './bomb.ts'

/** Zarr, Kerchunk and DMR++: text of millions of values, levels, templates, entities. */
export const DOCUMENT_BOMBS: readonly Bomb[] = [
  {
    name: 'zarr listing of 100,000 names',
    source: 'listing/',
    files: () => ({
      'listing/.zgroup': text('{"zarr_format":2}'),
      'listing/': text(
        `<title>Index of /listing/</title><ul>${times(100_000, (i) => `<li><a href="n${i}/">n${i}/</a></li>`).join('\n')}</ul>`,
      ),
    }),
  },
  {
    name: 'zmetadata 50 MB, 99,000 arrays',
    source: 'zm/',
    files: () => ({
      'zm/.zmetadata': text(
        JSON.stringify({
          zarr_consolidated_format: 1,
          metadata: Object.fromEntries([
            ['.zgroup', { zarr_format: 2 }],
            ...times(99_000, (i): [string, object] => [`a${i}/.zarray`, { ...zarray(i), x: 'x'.repeat(350) }]),
          ]),
        }),
      ),
    }),
  },
  {
    name: 'zmetadata 50 MB, one attribute of numbers',
    source: 'zn/',
    files: () => ({
      'zn/.zmetadata': text(
        '{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format":2},".zattrs":{"a":[' +
          '1,'.repeat(25_000_000) +
          '1]}}}',
      ),
    }),
  },
  {
    name: 'zmetadata 3.9 million lists',
    source: 'zl/',
    files: () => ({
      'zl/.zmetadata': text(
        '{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format":2},".zattrs":{"a":[' +
          '[],'.repeat(3_900_000) +
          '1]}}}',
      ),
    }),
  },
  {
    name: 'zmetadata 3.9 million members',
    source: 'zk/',
    files: () => ({
      'zk/.zmetadata': text(
        '{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format":2},".zattrs":{"a":{' +
          times(3_900_000, (i) => `"${i.toString(36)}":1`).join(',') +
          '}}}}',
      ),
    }),
  },
  {
    name: 'zarr.json 64 MB of blanks',
    source: 'blank/',
    files: () => ({
      'blank/zarr.json': Buffer.concat([text('{'), Buffer.alloc(60 * 2 ** 20, 0x20), text('"zarr_format":3}')]),
    }),
  },
  {
    name: 'zarr.json nested 1,000,000 deep',
    source: 'nest/',
    files: () => ({
      'nest/zarr.json': text(`{"zarr_format":3,"node_type":"group","attributes":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    }),
  },
  {
    name: 'zarr.json array with 1e15 x 1e15 grid',
    source: 'grid/',
    keys: ['zarr.json', 'c/0/0', 'c/5/5'],
    files: () => ({
      'grid/zarr.json': text(
        JSON.stringify({
          zarr_format: 3,
          node_type: 'array',
          shape: [9007199254740991, 9007199254740991],
          data_type: 'int8',
          chunk_grid: { name: 'regular', configuration: { chunk_shape: [1e6, 1e6] } },
          chunk_key_encoding: { name: 'default' },
          fill_value: 0,
          codecs: [{ name: 'bytes' }],
          attributes: {},
        }),
      ),
    }),
  },
  {
    name: 'kerchunk gen 1e9',
    source: 'gen.json',
    files: () => ({
      'gen.json': text(
        JSON.stringify({
          version: 1,
          templates: { u: 'x' },
          gen: [{ key: 'a/{{i}}', url: '{{u}}', offset: '{{i}}', length: '1', dimensions: { i: { stop: 1e9 } } }],
          refs: { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(zarray(1e9)) },
        }),
      ),
    }),
  },
  {
    name: 'kerchunk gen 190,000 of costly templates',
    source: 'gen2.json',
    files: () => ({
      'gen2.json': text(
        JSON.stringify({
          version: 1,
          templates: { u: '{{ "%065000d" % 1 }}', f: "{{ 'x' * 60000 }}" },
          gen: [
            {
              key: 'a/{{i}}',
              url: "{{ ('a' ~ ('%01000d' % i)).replace('0', '00000').replace('0','11')|length }}",
              offset: '{{i * 2 ** 3}}',
              length: `{{ 1 + ${'1 + '.repeat(300)}1 }}`,
              dimensions: { i: { stop: 190_000 } },
            },
          ],
          refs: { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(zarray(190000)) },
        }),
      ),
    }),
  },
  {
    name: 'kerchunk templates of templates',
    source: 'tt.json',
    files: () => ({
      'tt.json': text(
        JSON.stringify({
          version: 1,
          templates: Object.fromEntries(times(15, (i) => [`t${i}`, i === 14 ? 'x' : `{{t${i + 1}}}`.repeat(10)])),
          refs: { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(zarray(4)), 'a/0': ['{{t0}}', 0, 8] },
        }),
      ),
    }),
  },
  {
    name: 'kerchunk power tower',
    source: 'pow.json',
    files: () => ({
      'pow.json': text(
        JSON.stringify({
          version: 1,
          gen: [
            {
              key: 'a/{{i}}',
              url: 'x',
              offset: '{{ 9 ** 9 ** 9 ** 9 }}',
              length: "{{ '9' * 99999999 }}",
              dimensions: { i: { stop: 3 } },
            },
          ],
          refs: { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(zarray(4)) },
        }),
      ),
    }),
  },
  {
    name: 'kerchunk 100,000 arrays',
    source: 'arrays.json',
    files: () => ({
      'arrays.json': text(
        '{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}",' +
          times(99_000, (i) => `"a${i}/.zarray":${JSON.stringify(JSON.stringify(zarray(i)))}`).join(',') +
          '}}',
      ),
    }),
  },
  {
    name: 'kerchunk nested 1,000,000 deep',
    source: 'deep.json',
    files: () => ({ 'deep.json': text(`{"version":1,"refs":{"a":${'['.repeat(1e6)}}}`) }),
  },
  {
    name: 'dmrpp 50 MB of 290,000 variables',
    source: 'v.dmrpp',
    files: () => ({
      'v.dmrpp': text(
        documentOf(
          times(
            290_000,
            (i) =>
              `<Int8 name="v${i}"><Dim size="5"/><dmrpp:chunks fillValue="0"><dmrpp:chunk offset="1" nBytes="5"/></dmrpp:chunks></Int8>`,
          ).join('\n'),
        ),
      ),
    }),
  },
  {
    name: 'dmrpp nested 1,000,000 deep',
    source: 'n.dmrpp',
    files: () => ({ 'n.dmrpp': text(documentOf('<Group name="g">'.repeat(1e6))) }),
  },
  {
    name: 'dmrpp billion laughs',
    source: 'l.dmrpp',
    files: () => ({
      'l.dmrpp': text(
        documentOf('<Int8 name="&a9;"/>').replace(
          '?>',
          '?><!DOCTYPE d [<!ENTITY a0 "ha">' +
            times(9, (i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('') +
            ']>',
        ),
      ),
    }),
  },
  {
    name: 'dmrpp one attribute of 50 MB',
    source: 'a.dmrpp',
    files: () => ({
      'a.dmrpp': text(documentOf(`<Attribute name="a" type="String"><Value>${'x'.repeat(50e6)}</Value></Attribute>`)),
    }),
  },
  {
    name: 'dmrpp 2.4 million values',
    source: 'w.dmrpp',
    files: () => ({
      'w.dmrpp': text(documentOf(`<Attribute name="a" type="Int8">${'<Value>1</Value>'.repeat(2.4e6)}</Attribute>`)),
    }),
  },
  {
    name: 'dmrpp 50 MB in one tag',
    source: 't.dmrpp',
    files: () => ({ 't.dmrpp': text(documentOf(`<Int8 ${times(3_000_000, (i) => `a${i}="1"`).join(' ')}/>`)) }),
  },
]
