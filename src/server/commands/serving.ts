import { type Config, readConfig } from '../config.ts'
import { serve } from '../serve.ts'
import { packageFile } from '../version.ts'
import type { Given } from './command.ts'

/** The configuration of a command that takes settings; its words are what is served instead of the examples. */
export function configOf({ settings, environment }: Given, paths: readonly string[]): Config {
  return readConfig({ flags: settings, environment, bundledCatalog: packageFile('examples/catalog.yaml'), paths })
}

/** `virtual-zarr serve [FOLDER|FILE]…` */
export async function serveCommand(given: Given): Promise<number | undefined> {
  return await serve(configOf(given, given.words))
}
