/**
 * Requests under way at one origin. Whoever reads many ranges begins as many at a time, and leaves it to the queue of the origin how
 * they share it with others.
 */
export const READS_AT_ONCE = 64

/**
 * Work on each of some items, a few under way at a time; the results in the order of the items, which may be made as they are
 * taken. After a failure no further one is begun.
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items[Symbol.iterator]()
  let taken = 0
  let hasFailed = false
  const worker = async () => {
    for (let next = queue.next(); next.done !== true && !hasFailed; next = queue.next()) {
      const index = taken++
      try {
        results[index] = await work(next.value, index)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
