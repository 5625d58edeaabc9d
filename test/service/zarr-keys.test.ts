import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseZarrKey } from '../../src/service/store-service.ts'

test('documents of the root and of nodes are told apart', () => {
  assert.deepEqual(parseZarrKey('zarr.json'), { kind: 'metadata', path: '' })
  assert.deepEqual(parseZarrKey('a/b/zarr.json'), { kind: 'metadata', path: 'a/b' })
})

test('GEN-7: a scalar has the single chunk key c', () => {
  assert.deepEqual(parseZarrKey('c'), { kind: 'chunk', path: '', coords: [] })
  assert.deepEqual(parseZarrKey('t/c'), { kind: 'chunk', path: 't', coords: [] })
})

test('the last c of a key begins the chunk: arrays and groups may be named c', () => {
  assert.deepEqual(parseZarrKey('c/0/c/1/2'), { kind: 'chunk', path: 'c/0', coords: [1, 2] })
  assert.deepEqual(parseZarrKey('c/c'), { kind: 'chunk', path: 'c', coords: [] })
})

test('chunk keys that are not canonical are no keys', () => {
  for (const key of [
    'a/c/00',
    'a/c/+1',
    'a/c/-1',
    'a/c/٣',
    'a/c/1.0',
    'a/c/0/',
    'a/c/1e3',
    'a/C/0',
    'a/c0/0',
    'a/c//0',
  ]) {
    assert.notEqual(parseZarrKey(key).kind, 'chunk', key)
  }
})

test('v2 probes are no keys', () => {
  for (const key of ['.zgroup', '.zattrs', '.zmetadata', 'a/.zarray', 'x.gmac']) {
    assert.deepEqual(parseZarrKey(key), { kind: 'none' }, key)
  }
})

test('what ends in a slash, and the root, are folders', () => {
  assert.deepEqual(parseZarrKey(''), { kind: 'folder', path: '' })
  assert.deepEqual(parseZarrKey('a/b/'), { kind: 'folder', path: 'a/b' })
})
