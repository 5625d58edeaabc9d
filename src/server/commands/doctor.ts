import { writeJson } from '../../json/write.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { type Check, reasonOf } from '../doctor/check.ts'
import { machineChecks, settingChecks } from '../doctor/configured.ts'
import { installedChecks } from '../doctor/installed.ts'
import { hostChecks, sourceChecks } from '../doctor/reachable.ts'
import { redisChecks } from '../doctor/redis.ts'
import { ownFormats } from '../own-formats.ts'
import { openService } from '../service.ts'
import { columns } from '../settings.ts'
import { shownText } from '../shown.ts'
import { type Given, isGiven } from './command.ts'
import { print, trusting, urlOf } from './reading.ts'
import { configOf } from './serving.ts'

type Sections = Readonly<Record<'installed' | 'configured' | 'reachable', readonly Check[]>>

/** `virtual-zarr doctor [URL]…`: 1 where something would not work. */
export async function doctorCommand(given: Given): Promise<number> {
  const sections = await examined(given)
  const isFailed = Object.values(sections).some((checks) => checks.some(({ state }) => state === 'failed'))
  await print([isGiven(given, 'json') ? `${writeJson({ ok: !isFailed, ...sections })}\n` : sectionsText(sections)])
  return isFailed ? 1 : 0
}

/** A configuration that can't be read is a finding, and the rest is examined all the same. */
async function examined(given: Given): Promise<Sections> {
  const installed = installedChecks()
  const settings = settingChecks(given)
  let config: Config
  try {
    config = configOf(given, [])
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      installed,
      configured: [...settings, { what: error.key, state: 'failed', told: error.reason }],
      reachable: [],
    }
  }
  const configured = [...settings, ...(await machineChecks(config))]
  return { installed, configured, reachable: await reached(config, given.words.map(urlOf)) }
}

async function reached(config: Config, urls: readonly string[]): Promise<readonly Check[]> {
  const trusted = urls.reduce(trusting, config)
  const formats = await ownFormats(config.formats).catch((error: unknown) => reasonOf(error))
  if (typeof formats === 'string') return [{ what: 'VZ_FORMATS', state: 'failed', told: formats }]
  const service = openService(trusted, { formats })
  try {
    const redis = await redisChecks(config)
    return [...(await sourceChecks(config, service, urls)), ...(await hostChecks(config, urls)), ...redis]
  } finally {
    await service.close()
  }
}

const SIGNS: Readonly<Record<Check['state'], string>> = { ok: 'ok', warning: 'WARNING', failed: 'FAILED', off: '-' }

function sectionsText(sections: Sections): string {
  return Object.entries(sections)
    .filter(([, checks]) => checks.length > 0)
    .map(([title, checks]) => {
      const rows = checks.map(({ what, state, told }) => [
        `  ${SIGNS[state].padEnd(8)}${shownText(what)}`,
        shownText(told),
      ])
      return `${title}\n${columns(rows)}\n`
    })
    .join('\n')
}
