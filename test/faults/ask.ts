export interface Reply {
  /** 0: the connection was cut. */
  readonly status: number
  readonly body: Buffer
  /** The length that the answer told. */
  readonly announced: number
  readonly milliseconds: number
}

/** An answer, read to its end; one that breaks off is none. */
export async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const start = performance.now()
  try {
    const response = await fetch(url, init)
    const body = Buffer.from(await response.bytes())
    const announced = Number(response.headers.get('content-length'))
    return { status: response.status, body, announced, milliseconds: performance.now() - start }
  } catch {
    return { status: 0, body: Buffer.alloc(0), announced: 0, milliseconds: performance.now() - start }
  }
}
