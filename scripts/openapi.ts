// Writes openapi.yaml from the schemas of the routes: `npm run openapi`. A test compares the two.
import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { buildApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'
import { openService } from '../src/server/service.ts'

/** The contract as YAML text. */
export async function openapiYaml(): Promise<string> {
  const config = readConfig({ flags: { 'log-level': 'silent' }, environment: {}, bundledCatalog: undefined })
  const service = openService(config)
  const app = await buildApp({ ...service, catalog: config.catalog }, config)
  await app.http.ready()
  const text = stringify(app.http.swagger(), { lineWidth: 120, aliasDuplicateObjects: false })
  await app.http.close()
  await service.close()
  return `# Written by \`npm run openapi\`; change the schemas in routes/ and src/server/openapi.ts instead.\n${text}`
}

if (import.meta.main) await writeFile(new URL('../openapi.yaml', import.meta.url), await openapiYaml())
