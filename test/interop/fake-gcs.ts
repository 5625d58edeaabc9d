import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { freePort, untilAnswers } from '../helpers/ports.ts'
import { goTool } from './go-tool.ts'

/** A server that speaks Google Cloud Storage's XML API, on loopback. */
export interface GoogleServer {
  /** Ends in `/`. */
  readonly endpoint: string
  /** Makes a bucket. */
  make(bucket: string, versioned?: 'versioned'): Promise<void>
  /** Writes an object; answers its generation. */
  put(bucket: string, key: string, bytes: Uint8Array): Promise<string>
  close(): Promise<void>
}

/** What a bucket says to who asks: `bearer` is the token, where there is one. */
export type Admits = (bucket: string, bearer: string | undefined) => 'yes' | 'refused' | 'unknown'

/** Its program; undefined where it can't be had. */
export const fakeGcs = () => goTool('github.com/fsouza/fake-gcs-server', 'v1.56.1')

/** fake-gcs-server, made by others, behind a front that says what it leaves out; a reason to skip where it can't be had. */
export async function startGoogle(admits: Admits): Promise<GoogleServer | { readonly skip: string }> {
  const program = fakeGcs()
  if (program === undefined) {
    return { skip: 'fake-gcs-server could not be had: it is built with Go from its published module' }
  }
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  const args = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-public-host', host]
  const child = spawn(program, [...args, '-backend', 'memory', '-log-level', 'error'], { stdio: 'ignore' })
  await untilAnswers(`http://${host}/storage/v1/b`)
  const front = createServer((asked, answer) => void relay(host, admits, asked, answer).catch(() => answer.destroy()))
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const address = front.address()

  async function post(path: string, body: string | Uint8Array): Promise<{ readonly generation?: string }> {
    const response = await fetch(`http://${host}${path}`, { method: 'POST', body: Buffer.from(body) })
    assert.ok(response.ok, `POST ${path}: ${response.status} ${await response.clone().text()}`)
    return (await response.json()) as { generation?: string }
  }

  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    make: async (bucket, versioned) => {
      const versioning = { enabled: versioned !== undefined }
      await post('/storage/v1/b?project=test', JSON.stringify({ name: bucket, versioning }))
    },
    put: async (bucket, key, bytes) => {
      const query = `uploadType=media&name=${encodeURIComponent(key)}`
      return (await post(`/upload/storage/v1/b/${bucket}/o?${query}`, bytes)).generation ?? ''
    },
    close: async () => {
      front.close()
      front.closeAllConnections()
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

/**
 * Hands a request on. The emulator takes every token, ignores conditions, and says only "Not Found": the front refuses
 * tokens, keeps `x-goog-if-generation-match`, and says what does not exist, by the codes that Google documents.
 */
async function relay(host: string, admits: Admits, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const path = asked.url ?? '/'
  const [, bucket = ''] = path.split(/[/?]/)
  const bearer = /^Bearer (.*)$/.exec(asked.headers.authorization ?? '')?.[1]
  const admitted = admits(bucket, bearer)
  if (admitted === 'unknown') return say(answer, 401, 'AuthenticationRequired')
  if (admitted === 'refused') return say(answer, 403, 'AccessDenied')
  const { range } = asked.headers
  const headers = { host, ...(range === undefined ? {} : { range }) }
  const onward = request(`http://${host}`, { method: asked.method, path, headers, agent: false })
  onward.end()
  const [told] = (await once(onward, 'response')) as [IncomingMessage]
  const condition = asked.headers['x-goog-if-generation-match']
  const isThere = told.statusCode === 200 || told.statusCode === 206
  if (told.statusCode === 404) {
    told.resume()
    const { ok } = await fetch(`http://${host}/storage/v1/b/${bucket}`)
    return say(answer, 404, ok ? 'NoSuchKey' : 'NoSuchBucket')
  }
  if (isThere && condition !== undefined && condition !== told.headers['x-goog-generation']) {
    told.resume()
    return say(answer, 412, 'PreconditionFailed')
  }
  answer.writeHead(told.statusCode ?? 500, told.headers)
  told.pipe(answer)
  answer.on('close', () => told.destroy())
}

function say(answer: ServerResponse, status: number, code: string): void {
  const text = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>m</Message></Error>`
  answer.writeHead(status, { 'content-type': 'application/xml; charset=UTF-8' }).end(text)
}
