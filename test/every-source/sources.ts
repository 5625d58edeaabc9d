import { existsSync, readdirSync } from 'node:fs'
import { folderDocumentsOf } from '../../src/formats/registry.ts'
import { CORPUS, CORPUS_ABSENT } from '../corpus/golden.ts'

const FIXTURES = new URL('../fixtures/', import.meta.url)
const EXAMPLES = new URL('../../examples/', import.meta.url)

/** The folders that the service has to be allowed to read. */
export const ROOTS: readonly URL[] = [FIXTURES, EXAMPLES, ...(CORPUS_ABSENT === false ? [CORPUS] : [])]

/** How sources were generated and what other readers say of them; notes. */
const IS_NO_SOURCE = /(?:^|\/)(?:golden[^/]*\.json|[^/]*\.(?:py|md|txt|sh|jsonl|f32))$/
/** Of a folder that is a source, only the folder is opened. */
const FOLDER_DOCUMENTS = folderDocumentsOf().map(({ name }) => name)

/** The URLs of every file and every folder of the examples, the fixtures and the corpora that could be a source. */
export function everySource(): readonly URL[] {
  return ROOTS.flatMap((root) => sourcesBelow(root))
}

function sourcesBelow(folder: URL): URL[] {
  if (FOLDER_DOCUMENTS.some((name) => existsSync(new URL(name, folder)))) return [folder]
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return sourcesBelow(new URL(`${encodeURIComponent(entry.name)}/`, folder))
    return IS_NO_SOURCE.test(entry.name) ? [] : [new URL(encodeURIComponent(entry.name), folder)]
  })
}
