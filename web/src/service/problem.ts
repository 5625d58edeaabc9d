/** What went wrong, as the service tells it (RFC 9457), or as the page found it. */
export class Problem extends Error {
  readonly title: string
  readonly status: number
  readonly kind: string
  /** The option of the store that the service names. */
  readonly option: string | undefined

  constructor(title: string, detail: string, status = 0, kind = '', option?: string) {
    super(detail)
    this.name = 'Problem'
    this.title = title
    this.status = status
    this.kind = kind
    this.option = option
  }
}

/** The problem that an answer other than 2xx tells. */
export async function problemOf(answer: Response): Promise<Problem> {
  const body: unknown = await answer.json().catch(() => undefined)
  const { title, detail, type, option } = (body ?? {}) as Readonly<Record<string, unknown>>
  return new Problem(
    typeof title === 'string' ? title : `The service answered ${answer.status}`,
    typeof detail === 'string' ? detail : 'It said nothing more.',
    answer.status,
    typeof type === 'string' ? type.replace('/problems/', '') : '',
    typeof option === 'string' ? option : undefined,
  )
}

/** Any failure as a problem: what `fetch` throws means that the service itself is not there. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message))
    return new Problem('The service does not answer', 'The connection failed before there was an answer.', 0, 'offline')
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  // zarrita's: a chunk that is served as it is stored may be damaged, or nested as this reader can't undo it.
  if (name === 'CodecPipelineError')
    return new Problem('The values can’t be decoded', `${message}: the stored chunk is damaged.`, 0, 'malformed-source')
  if (name === 'UnknownCodecError')
    return new Problem('The page has no decoder for this', message, 0, 'no-page-decoder')
  return new Problem('This page failed', error instanceof Error ? error.message : String(error), 0, 'page')
}

const ADVICE: Readonly<Record<string, string>> = {
  'invalid-request': 'Check the address: a source is an absolute URL, such as https://example.org/data.nc.',
  'source-forbidden':
    'The operator of this service decides what it may read. Private addresses are closed unless they are allowed (--allow).',
  'source-denied': 'The host refuses the file. It may need credentials, which the operator of this service can set.',
  'source-not-found': 'Check the spelling of the URL, and whether the file is still there.',
  'source-changed': 'The file was replaced while it was read. Open it again to read the new version.',
  'limit-exceeded':
    'The file is beyond what this service is willing to read. A part of it (;group=, ;variables=) may be within.',
  'unknown-format':
    'The first bytes are of no format that is read here. Is the URL that of the data, and not of a page about it?',
  'malformed-source':
    'The file contradicts its own format: it may be cut off or damaged. Compare its size with the original.',
  'unsupported-feature': 'The file is valid, but uses something that is not supported here yet.',
  'source-unavailable': 'The host of the file fails. Try again in a minute; if it stays so, its operator can tell why.',
  'source-timeout': 'The host of the file is too slow. Try again; a copy nearer to this service would help.',
  unauthorized: 'This service is open to those who have a key. Its operator gives them out.',
  'rate-limited': 'Wait a little: this service counts how often each of its users asks.',
  overloaded: 'The service is busy. Try again in a few seconds.',
  dropped: 'Drop it on the page again.',
  'no-decoder': 'npx virtual-zarr open FILE serves the file on this computer, and shows it.',
  'no-page-decoder': 'With the option ;codecs=raw in the address the service decodes it.',
  offline: 'Is the service still running? Try again when it is.',
}

/** What a person can do about it. */
export function whatToTry({ kind, option }: Problem): string {
  if (kind === 'malformed-source' && option === 'sentinel')
    return 'No value of the array can be the one that the file calls missing, so nothing would be masked by it.'
  return ADVICE[kind] ?? 'Try again. If it fails again, the message above is what to report.'
}
