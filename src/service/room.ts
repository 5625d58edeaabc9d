/** Memory for chunks that are being made, all together: small files can ask for large ones. */
export const MAKING_BYTES = 3 * 2 ** 28

/** Memory that is given out to those who make something in it: first come, first served. */
export interface Room {
  /** Runs work that holds about so many bytes; it waits while the others hold too many. */
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>
}

/** Room for so many bytes; what alone needs more has it to itself. */
export function roomOf(total: number): Room {
  let left = total
  const waiting: { readonly bytes: number; readonly go: () => void }[] = []
  function next(): void {
    for (let first = waiting[0]; first !== undefined && first.bytes <= left; first = waiting[0]) {
      waiting.shift()
      left -= first.bytes
      first.go()
    }
  }
  return {
    async within(wanted, work) {
      const bytes = Math.min(wanted, total)
      await new Promise<void>((go) => {
        waiting.push({ bytes, go })
        next()
      })
      try {
        return await work()
      } finally {
        left += bytes
        next()
      }
    },
  }
}
