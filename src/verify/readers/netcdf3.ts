import { readFileSync } from 'node:fs'
import type { NetCDFReader } from 'netcdfjs'
import { ORIGINAL_NAME } from '../../model/original-name.ts'
import type { Box } from '../../model/virtual-store.ts'
import { boxOf } from './box-of.ts'
import { withVersion } from './package-version.ts'
import type { Found, IndependentReader, ReaderFile, Values } from './reader.ts'

const TYPES: Readonly<Record<string, string>> = {
  byte: 'int8',
  short: 'int16',
  int: 'int32',
  float: 'float32',
  double: 'float64',
}

const TYPE_BYTES: Readonly<Record<string, number>> = { byte: 1, short: 2 }

const ONLY_RECORDS = {
  why: 'netcdfjs 4.0 steps over what fills records up to four bytes, which there is none of where a file has one record variable',
}

/** NetCDF-3 by the netcdfjs of the cheminfo project. */
export async function netcdf3Reader(): Promise<IndependentReader> {
  const { NetCDFReader } = await import('netcdfjs')
  return { name: withVersion('netcdfjs'), open: async (path) => fileOf(new NetCDFReader(readFileSync(path))) }
}

function fileOf(reader: NetCDFReader): ReaderFile {
  /** It gives variables as a whole: the last one is kept. */
  let last: { readonly name: string; readonly values: Values } | undefined
  const variableOf = (path: string) => reader.variables.find(({ name }) => name === path)
  const lengthsOf = (dimensions: readonly number[]) =>
    dimensions.map((index) => {
      const { name = '', size = 0 } = reader.dimensions[index] ?? {}
      return name === reader.recordDimension.name ? reader.recordDimension.length : size
    })
  return {
    async find({ path, attributes }) {
      const original = attributes[ORIGINAL_NAME]
      const variable = variableOf(typeof original === 'string' ? original : path)
      if (variable === undefined) return 'the reader has no such variable'
      const type = TYPES[variable.type]
      if (type === undefined) return `the reader gives ${variable.type} in a form of its own`
      const shape = lengthsOf(variable.dimensions)
      const isFilledUp = variable.record && rowOf(shape) % (TYPE_BYTES[variable.type] === 1 ? 4 : 2) !== 0
      const isOnly = reader.variables.filter(({ record }) => record).length === 1
      const fault = isFilledUp && isOnly && (TYPE_BYTES[variable.type] ?? 4) < 4 ? ONLY_RECORDS : undefined
      return { shape, type, sentinels: sentinelsOf(variable.attributes), fault }
    },
    async read({ path, attributes }, box: Box) {
      const original = attributes[ORIGINAL_NAME]
      const name = typeof original === 'string' ? original : path
      const variable = variableOf(name)
      const lengths = lengthsOf(variable?.dimensions ?? [])
      if (last?.name !== name) last = { name, values: flat(reader.getDataVariable(name), lengths, variable?.type) }
      return boxOf(last.values, lengths, box)
    },
  }
}

/** Values of one record. */
function rowOf([, ...inner]: readonly number[]): number {
  return inner.reduce((product, length) => product * length, 1)
}

/** It gives rows of records with what fills them up to four bytes, and bytes without their sign. */
function flat(values: readonly unknown[], shape: readonly number[], type: string | undefined): Values {
  const length = rowOf(shape)
  const numbers = values.flatMap((row) => (Array.isArray(row) ? (row.slice(0, length) as number[]) : [row as number]))
  return type === 'byte' ? Int8Array.from(numbers) : numbers
}

function sentinelsOf(
  attributes: readonly { readonly name: string; readonly type: string; readonly value: unknown }[],
): Found['sentinels'] {
  const sentinels: Record<string, number> = {}
  for (const { name, value, type } of attributes) {
    const first = Array.isArray(value) ? value[0] : value
    if (!['_FillValue', 'missing_value'].includes(name) || typeof first !== 'number') continue
    sentinels[name] = type === 'byte' ? (first << 24) >> 24 : first
  }
  return sentinels
}
