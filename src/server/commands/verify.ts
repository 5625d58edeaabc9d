import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { invalidRequest, isVirtualZarrError } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { changesSince } from '../../verify/against.ts'
import type { VerifyReport } from '../../verify/report.ts'
import { readyPlace, sourceFile } from '../../verify/source-file.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { ownFormats } from '../own-formats.ts'
import { withProgressBar } from '../progress-bar.ts'
import { openService } from '../service.ts'
import { guardedFile, type ReaderSources, verifyStore } from '../verification.ts'
import { verificationText } from '../verification-text.ts'
import { sampleOf } from '../verify-sample.ts'
import { type Given, isGiven, textOf } from './command.ts'
import { print, trusting, urlOf } from './reading.ts'

/** Larger sources are not read whole for the independent reader. */
const MOST_BYTES = 2 ** 31

/** The source as it is, of whoever runs the command; objects of clouds with what our own requests are signed with. */
const OWN_SOURCES: ReaderSources = {
  file: async (url, source, signal) =>
    /^(?:https?|file):/.test(url)
      ? await sourceFile(url, MOST_BYTES, signal)
      : await guardedFile(source, MOST_BYTES, signal),
  place: (url) =>
    /^(?:https?|file):/.test(url) ? readyPlace(url) : `the reader does not know URLs such as ${url.slice(0, 5)}`,
}

/** Exit codes of this command: nothing differs, something does, nothing could be compared. */
const CONFIRMED = 0
const DIFFERS = 1
const NOTHING = 3
/** As shells have it for a process that SIGINT ended. */
const STOPPED = 130

/** `virtual-zarr verify URL [--sample 5%|--all] [--json] [--against report.json]` */
export async function verifyCommand(given: Given): Promise<number> {
  const url = urlOf(given.words[0] ?? '')
  const part = isGiven(given, 'all') ? 1 : sampleOf(textOf(given, 'sample') ?? '5%')
  const against = textOf(given, 'against')
  const before = against === undefined ? undefined : readReport(against)
  const environment = { ...given.environment, VZ_LOG_LEVEL: 'silent' }
  const config = trusting(readConfig({ flags: {}, environment, bundledCatalog: undefined }), url)
  const service = openService(config, { formats: await ownFormats(config.formats) })
  const ending = new AbortController()
  const stop = () => ending.abort(new Error('stopped'))
  process.once('SIGINT', stop)
  let progress: { read: number; of: number } | undefined
  const { http } = await buildApp({ ...service, catalog: config.catalog }, config)
  try {
    const verifying = verifyStore(http, service, {
      url,
      options: given.options,
      sample: part,
      signal: ending.signal,
      sources: OWN_SOURCES,
      progress: (read, of) => {
        progress = { read, of }
      },
    })
    const ended = Promise.race([verifying, whenStopped(ending.signal)])
    const report = await withProgressBar(ended, () => progress, process.stderr, 'chunks')
    const changes = before === undefined ? [] : changesSince(before, report)
    const whole = before === undefined ? report : { ...report, changes }
    await print([isGiven(given, 'json') ? `${writeJson(whole)}\n` : verificationText(report, changes)])
    return exitCode(report, changes.length)
  } catch (error) {
    if (!ending.signal.aborted) throw error
    leaveSoon()
    return STOPPED
  } finally {
    process.off('SIGINT', stop)
    const closed = Promise.all([http.close(), service.close()])
    // What is under way may be waiting for an origin.
    if (ending.signal.aborted) closed.catch(() => undefined)
    else await closed
  }
}

/** Whatever is under way: an origin that does not answer may take longer than whoever stops the command has patience. */
async function whenStopped(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

/** Leaves the time to delete what was made. */
function leaveSoon(): void {
  setTimeout(() => process.exit(STOPPED), 300).unref()
}

function exitCode({ totals }: VerifyReport, changes: number): number {
  if (totals.differs > 0 || changes > 0) return DIFFERS
  return totals.confirmed > 0 ? CONFIRMED : NOTHING
}

function readReport(path: string): VerifyReport {
  const report = parsedReport(path)
  if (report.virtual_zarr === 'verify/1' && typeof report.arrays === 'object') return report as VerifyReport
  throw invalidRequest(`${path} is no report of verify`)
}

function parsedReport(path: string): Partial<VerifyReport> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<VerifyReport>
  } catch (error) {
    if (isVirtualZarrError(error) || !(error instanceof Error)) throw error
    throw invalidRequest(`${path} can't be read: ${error.message}`)
  }
}
