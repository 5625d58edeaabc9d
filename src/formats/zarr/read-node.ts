import type { ErrorContext } from '../../errors.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import type { ParseContext } from '../format.ts'
import { nodesOfV3, nodesOfZmetadata } from '../zarr-documents/consolidated.ts'
import { objectOf } from '../zarr-documents/document.ts'
import {
  arrayAndGroup,
  attributesIn,
  brokenNode,
  type NodeDocument,
  type NodeDocuments,
  v2Group,
} from '../zarr-documents/node-documents.ts'

/** A folder of a store, and how its documents are read, wherever they are. */
export interface NodeFolder<Stored> {
  readonly path: string
  /** The metadata documents in it, by name. */
  readonly documents: ReadonlyMap<string, Stored>
  read(document: Stored): Promise<Json>
  placeOf(document: Stored): ErrorContext
  readonly warn: ParseContext['warn']
}

export type FoundNodes = readonly (readonly [path: string, node: NodeDocument])[]

/** What the documents of a folder say: nodes, or nothing. What can't be read is a node that answers with its error. */
export async function readNodes<Stored>(folder: NodeFolder<Stored>): Promise<FoundNodes> {
  try {
    return await nodesOf(folder)
  } catch (error) {
    return [[folder.path, brokenNode(error)]]
  }
}

async function nodesOf<Stored>(folder: NodeFolder<Stored>): Promise<FoundNodes> {
  const { path, documents, warn } = folder
  const v3 = documents.get('zarr.json')
  if (v3 !== undefined) return below(path, nodesOfV3(await readObject(folder, v3), folder.placeOf(v3)))
  const consolidated = documents.get('.zmetadata')
  if (consolidated !== undefined) {
    const place = { ...folder.placeOf(consolidated), warn }
    return below(path, nodesOfZmetadata(await readObject(folder, consolidated), place))
  }
  const [array, group, attributes] = ['.zarray', '.zgroup', '.zattrs'].map((name) => documents.get(name))
  if (array === undefined && group === undefined) return []
  const zarray = array === undefined ? undefined : await readObject(folder, array)
  const zattrs = attributes === undefined ? undefined : attributesIn(await folder.read(attributes), path, warn)
  if (zarray === undefined) return [[path, v2Group(group && (await folder.read(group)), zattrs, path, warn)]]
  if (group !== undefined) warn(arrayAndGroup(path))
  return [[path, { kind: 'v2-array', zarray, zattrs }]]
}

async function readObject<Stored>(folder: NodeFolder<Stored>, document: Stored): Promise<JsonObject> {
  return objectOf(await folder.read(document), 'a metadata document', folder.placeOf(document))
}

function below(path: string, nodes: NodeDocuments): FoundNodes {
  return [...nodes].map(([child, node]) => [[path, child].filter((part) => part !== '').join('/'), node])
}
