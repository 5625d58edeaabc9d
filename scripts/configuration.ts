// Writes docs/configuration.md from the settings and the options that the program knows: `npm run configuration`. A test compares.
import { writeFile } from 'node:fs/promises'
import { flagOf, SETTINGS } from '../src/server/settings.ts'

const HEAD = `# Configuration

<!-- Written by \`npm run configuration\` from src/server/settings.ts. -->

Flags count before environment variables, these before the lines of a YAML or JSON file (\`--config FILE\`, or \`VZ_CONFIG\`). A setting that is unknown,
misspelled or not built yet stops the start; \`virtual-zarr doctor\` tells what is set and whether it works. Lists are separated by commas, or the flag is repeated;
in the file they are lists.

| variable | flag, line of the file | value | default | meaning |
| --- | --- | --- | --- | --- |
`

const TAIL = `
The file may also hold the catalog, under \`datasets:\` ([archives.md](archives.md#a-catalog), [joins.md](joins.md)), and credentials for object stores, under
\`credentials:\` ([clouds.md](clouds.md#credentials)). Options of a single store are part of its URL: [options.md](options.md).
Traces follow the variables of OpenTelemetry (\`OTEL_EXPORTER_OTLP_ENDPOINT\` and its kin, [operations.md](operations-reference.md#traces)).
`

/** The page as it has to be. */
export function configurationPage(): string {
  const rows = SETTINGS.map(({ key, takes, fallback, meaning, shortFlag, isList }) => {
    const flags = [`\`${flagOf(key)}\``, ...(shortFlag === undefined ? [] : [`\`--${shortFlag}\``])].join(', ')
    const value = `${takes.replaceAll('|', ' \\| ')}${isList === true ? ', …' : ''}`
    return `| \`${key}\` | ${flags} | ${value} | ${fallback} | ${linked(meaning)} |\n`
  })
  return `${HEAD}${rows.join('')}${TAIL}`
}

/** Pages that a meaning names are links. */
function linked(meaning: string): string {
  return meaning.replace(/docs\/([\w-]+\.md)/g, '[$1]($1)').replaceAll('|', '\\|')
}

if (import.meta.main) await writeFile(new URL('../docs/configuration.md', import.meta.url), configurationPage())
