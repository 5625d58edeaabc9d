import { connect } from 'node:net'

/** An answer as it came over the socket. */
export interface RawAnswer {
  readonly status: number
  /** What follows the status on its line. */
  readonly reason: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends these bytes as they are, and reads until the server closes. */
export async function sendRawBytes(port: number, request: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (bytes) => parts.push(bytes))
    socket.once('error', reject)
    socket.once('close', () => resolve())
    socket.setTimeout(5000, () => socket.destroy())
    socket.write(Buffer.from(request, 'utf8'))
  })
  return parseAnswer(Buffer.concat(parts))
}

/** A request whose target no client library has tidied up. */
export async function rawRequest(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawAnswer> {
  const all = { host: 'service.example', connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return await sendRawBytes(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n')
  const [status = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const [, code, ...reason] = status.split(' ')
  return { status: Number(code), reason: reason.join(' '), headers, body: bytes.subarray(end + 4) }
}
