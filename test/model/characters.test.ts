import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CharacterVariable, textVariables, withTextMembers } from '../../src/model/characters.ts'
import { virtualArray, virtualGroup } from '../helpers/virtual-array.ts'

function characters(name: string, ...dimensionNames: readonly (string | null)[]): CharacterVariable {
  return { name, isCharacters: true, dimensionNames }
}

function numbers(name: string, ...dimensionNames: readonly (string | null)[]): CharacterVariable {
  return { name, isCharacters: false, dimensionNames }
}

function texts(...variables: readonly CharacterVariable[]): readonly string[] {
  return [...textVariables(variables)]
}

describe('TREE-9: which characters are texts along their last dimension', () => {
  test('those whose last dimension nothing else has', () => {
    assert.deepEqual(texts(characters('name', 'n', 'len'), numbers('value', 'n')), ['name'])
    assert.deepEqual(texts(characters('a', 'n', 'len'), characters('b', 'm', 'len'), characters('c', 'len')), [
      'a',
      'b',
      'c',
    ])
  })

  test("Argo's flags along data dimensions are not, its names are", () => {
    const found = texts(
      numbers('TEMP', 'N_PROF', 'N_LEVELS'),
      characters('TEMP_QC', 'N_PROF', 'N_LEVELS'),
      characters('DATA_MODE', 'N_PROF'),
      characters('PLATFORM_NUMBER', 'N_PROF', 'STRING8'),
    )
    assert.deepEqual(found, ['PLATFORM_NUMBER'])
  })

  test('a variable of the name of the dimension, characters or not, ends that', () => {
    assert.deepEqual(texts(characters('name', 'n', 'len'), numbers('len', 'len')), [])
    assert.deepEqual(texts(characters('len', 'len'), characters('name', 'n', 'len')), [])
  })

  test('characters that have the dimension elsewhere than last end it too', () => {
    assert.deepEqual(texts(characters('a', 'n', 'len'), characters('b', 'len', 'other')), ['b'])
  })

  test('a dimension that is last and first at once is last', () => {
    assert.deepEqual(texts(characters('square', 'n', 'n')), ['square'])
  })

  test('a scalar, and a dimension without a name, have nothing to be joined along', () => {
    assert.deepEqual(texts(characters('scalar'), characters('nameless', 'n', null)), [])
  })
})

test('an array that is skipped has its dimensions all the same, and groups are apart', () => {
  const CHARACTER = { kind: 'fixed-text', encoding: 'bytes', length: 1 } as const
  const flags = virtualArray({ dataType: CHARACTER, shape: [2, 3], dimensionNames: ['n', 'level'] })
  const skipped = { kind: 'skipped', code: 'unsupported-feature', reason: 'x', dataDimensions: ['n', 'level'] } as const
  const mark = (members: Parameters<typeof withTextMembers>[0]) => {
    const flag = withTextMembers(members).get('flags')
    return flag?.kind === 'array' && flag.isText === true
  }
  assert.equal(mark(new Map([['flags', flags]])), true)
  assert.equal(
    mark(
      new Map<string, typeof flags | typeof skipped>([
        ['flags', flags],
        ['t', skipped],
      ]),
    ),
    false,
  )
  assert.equal(
    mark(
      new Map<string, ReturnType<typeof virtualGroup> | typeof flags>([
        ['flags', flags],
        ['level', virtualGroup({})],
      ]),
    ),
    true,
  )
})
