import { readFileSync } from 'node:fs'
import type { NetCDFReader } from 'netcdfjs'
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

const RECORD_BYTES = 'netcdfjs 4.0 steps through records of bytes as if they were not filled up to four'

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
      const original = attributes['original_name']
      const variable = variableOf(typeof original === 'string' ? original : path)
      if (variable === undefined) return 'the reader has no such variable'
      const type = TYPES[variable.type]
      if (type === undefined) return `the reader gives ${variable.type} in a form of its own`
      const fault = variable.record && variable.type === 'byte' ? RECORD_BYTES : undefined
      return { shape: lengthsOf(variable.dimensions), type, sentinels: sentinelsOf(variable.attributes), fault }
    },
    async read({ path, attributes }, box: Box) {
      const original = attributes['original_name']
      const name = typeof original === 'string' ? original : path
      if (last?.name !== name) last = { name, values: signed(reader.getDataVariable(name), variableOf(name)?.type) }
      return boxOf(last.values, lengthsOf(variableOf(name)?.dimensions ?? []), box)
    },
  }
}

/** It gives bytes without their sign. */
function signed(values: readonly unknown[], type: string | undefined): Values {
  const flat = values.flat(1) as number[]
  return type === 'byte' ? Int8Array.from(flat) : flat
}

function sentinelsOf(attributes: readonly { readonly name: string; readonly value: unknown }[]): Found['sentinels'] {
  const sentinels: Record<string, number> = {}
  for (const { name, value } of attributes) {
    const first = Array.isArray(value) ? value[0] : value
    if (['_FillValue', 'missing_value'].includes(name) && typeof first === 'number') sentinels[name] = first
  }
  return sentinels
}
