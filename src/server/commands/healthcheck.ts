import { get } from 'node:http'
import { VirtualZarrError } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { type Given, isGiven } from './command.ts'
import { print } from './reading.ts'
import { configOf } from './serving.ts'

/** `virtual-zarr healthcheck`: asks the server on this machine, so that a container needs no curl. */
export async function healthcheckCommand(given: Given): Promise<undefined> {
  const { host, port } = configOf(given, [])
  const place = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  await askReady(place)
  if (isGiven(given, 'json')) await print([`${writeJson({ ready: true, url: place })}\n`])
}

/** Resolves when the server there is ready; throws what it answers instead. */
export async function askReady(place: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = get(`${place}/health/ready`, { timeout: 3000 }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new VirtualZarrError('source-unavailable', `the server answers ${response.statusCode}`))
    })
    request.once('timeout', () => request.destroy(new Error('no answer within 3 s')))
    request.once('error', ({ message }) =>
      reject(new VirtualZarrError('source-unavailable', `${place} is not ready: ${message}`)),
    )
  })
}
