import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until a server answers, whatever it says. */
export async function untilAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nobody answered at ${url}`)
}
