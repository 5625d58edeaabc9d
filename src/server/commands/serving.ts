import { type Config, readConfig } from '../config.ts'
import { manifestFolder } from '../manifest-folder.ts'
import { serve } from '../serve.ts'
import { packageFile } from '../version.ts'
import type { Given } from './command.ts'

/** The configuration of a command that takes settings; its words are what is served instead of the examples. */
export function configOf(
  { settings, environment }: Given,
  paths: readonly string[],
  defaultManifestFolder?: string,
): Config {
  const bundledCatalog = packageFile('examples/catalog.yaml')
  return readConfig({ flags: settings, environment, bundledCatalog, paths, defaultManifestFolder })
}

/** `virtual-zarr serve [FOLDER|FILE]…` */
export async function serveCommand(given: Given): Promise<number | undefined> {
  return await serve(configOf(given, given.words, manifestFolder(given.environment)))
}
