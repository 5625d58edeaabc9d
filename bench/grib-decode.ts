import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeField } from '../src/codecs/grib/field.ts'

/** What a worker is asked: a folder of `<packing>.grib`, each a message of so many points. */
export interface DecodeTask {
  readonly folder: string
  readonly points: number
}

/** Float32 values in MB a second of processor time, by packing. */
export type DecodeRates = Readonly<Record<string, number>>

const SECONDS = 1

/** Decodes each message as often as a second of processor time allows, after as long a warm-up. */
async function decodeRates({ folder, points }: DecodeTask): Promise<DecodeRates> {
  const rates: Record<string, number> = {}
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.grib'))) {
    const message = new Uint8Array(readFileSync(join(folder, name)))
    await rateOf(message, points)
    rates[name.slice(0, -'.grib'.length)] = await rateOf(message, points)
  }
  return rates
}

async function rateOf(message: Uint8Array, points: number): Promise<number> {
  const start = process.cpuUsage()
  let count = 0
  for (;;) {
    await decodeField(message, points, 32)
    count++
    const { user, system } = process.cpuUsage(start)
    const seconds = (user + system) / 1e6
    if (seconds >= SECONDS) return (count * points * 4) / 1e6 / seconds
  }
}

process.on('message', (task: DecodeTask) => {
  decodeRates(task).then(
    (rates) => process.send?.(rates),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.send?.({ url: '' })
