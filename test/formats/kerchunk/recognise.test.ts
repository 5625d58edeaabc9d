import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recogniseFormat } from '../../../src/formats/registry.ts'

const name = (text: string, url = 'https://a.org/x.json', tail = text) =>
  recogniseFormat(Buffer.from(text).subarray(0, 4096), new URL(url), Buffer.from(tail))?.name

test('documents of references are known by what they begin with, whatever they are called', () => {
  const documents = [
    '{"version": 1, "refs": {}}',
    '\ufeff\n {"refs":{".zgroup":"{}"}}',
    '{"version":1,"templates":{"u":"x"},"refs":{',
    '{"gen":[],"refs":{}}',
    '{".zgroup":{"zarr_format":2}}',
    '{".zattrs": "{}"}',
    '{"a\\/.zarray":"{}"}',
    '{"a/b/0.1.2":["x",0,1]}',
    '{"0":"base64:"}',
    '{"zarr.json":"{}"}',
    `{"version":1,"templates":{"u":"${'x'.repeat(5000)}`,
  ]
  for (const text of documents) assert.equal(name(text), 'kerchunk', text.slice(0, 60))
})

test('GEN-8: other JSON is not', () => {
  const others = [
    '{}',
    '[]',
    '{"version":1,"name":"x"}',
    '{"version":"1.0","refs_":1}',
    '{"type":"FeatureCollection","features":[]}',
    '{"refs":[]}',
    '{"tiles":["x"]}',
    'refs',
    '{"refs"',
    '',
  ]
  for (const text of others) assert.equal(name(text), undefined, text)
})

test('a folder of Zarr and a Parquet set are told apart by the end of their metadata', () => {
  const url = 'https://a.org/set/.zmetadata'
  const head = `{"metadata":{".zattrs":{"x":"${'x'.repeat(5000)}"}}`
  assert.equal(name(head, url, `${head},"record_size": 10}`), 'kerchunk')
  assert.equal(name(head, url, `${head},"zarr_consolidated_format": 1}`), 'zarr')
  assert.equal(name(head, url, '"a/.zattrs":{"record_size": 10}},"zarr_consolidated_format": 1}'), 'zarr')
  assert.equal(name('{"record_size":10,"metadata":{}}', url), 'kerchunk')
  // As a folder of Zarr its chunks would read as never written.
  for (const size of ['null', '"10"', '[]', '-1', 'true']) {
    assert.equal(name(head, url, `${head},"record_size": ${size}}`), 'kerchunk', size)
  }
  assert.equal(name('{"zarr_consolidated_format":1,"metadata":{},"record_size":10}', url), 'kerchunk')
  assert.equal(name('{"zarr_format":2}', 'https://a.org/x/.zgroup'), 'zarr')
})
