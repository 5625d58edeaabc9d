/** Reads at the same time; the limit per origin comes on top. */
const CONCURRENCY = 16

/** The results in the order of the items, with a few of them in work at a time. */
export async function inParallel<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = new Array(items.length)
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker))
  return results
}
