import type { Hdu } from './hdu.ts'
import { integerOf, textOf } from './header.ts'

/** PRIMARY, the EXTNAME or HDU<n>; a name that was there before gets its EXTVER, and what is taken even so a number. */
export function hduNames(hdus: readonly Hdu[]): string[] {
  const taken = new Set<string>()
  return hdus.map((hdu) => {
    const name = freeName(baseName(hdu), hdu, taken)
    taken.add(name)
    return name
  })
}

function baseName({ index, header }: Hdu): string {
  if (index === 0) return 'PRIMARY'
  return textOf(header, 'EXTNAME')?.trim() || `HDU${index}`
}

function freeName(base: string, { header }: Hdu, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  if (typeof header.values.get('EXTVER') === 'number') {
    const versioned = `${base}_${integerOf(header, 'EXTVER')}`
    if (!taken.has(versioned)) return versioned
  }
  return numbered(base, taken)
}

/** The name itself, or with `_2`, `_3`, ... where it is taken. */
export function numbered(base: string, taken: ReadonlySet<string>): string {
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`
  return name
}
