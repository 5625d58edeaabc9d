import { SAMPLES } from '../faults/samples.ts'
import { randoms } from '../helpers/randoms.ts'
import { joinedSources } from '../helpers/test-joins.ts'
import { corpusSources, fixtureSources, type TestSource } from '../helpers/test-sources.ts'

/** Bodies over 64 KiB of each format, the fixtures, and joins. */
export const SOAK_SOURCES: readonly TestSource[] = [
  ...SAMPLES.map(
    ({ name, source, files }): TestSource => ({
      format: name.replace(/-.*/, ''),
      name: `sample ${name}`,
      source,
      members: () => files(0),
    }),
  ),
  ...fixtureSources(),
  ...joinedSources(),
]

/** So many sources of the corpora, where they are on this machine. */
export function someOfCorpora(count: number, seed: number): TestSource[] {
  const numbers = randoms(seed)
  const drawn = corpusSources().map((source) => [numbers.next().value, source] as const)
  return drawn
    .toSorted(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, source]) => source)
}
