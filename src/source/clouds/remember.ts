/** Most buckets whose region is remembered, and hosts whose clock is. */
const MOST_REMEMBERED = 10_000

/** Keeps what was learned, and forgets the oldest for it when there is too much. */
export function remember<T>(known: Map<string, T>, name: string, value: T): void {
  const [oldest] = known.keys()
  if (known.size >= MOST_REMEMBERED && oldest !== undefined) known.delete(oldest)
  known.set(name, value)
}
