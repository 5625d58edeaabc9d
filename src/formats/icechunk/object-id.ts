// Icechunk's specification, "File Layout": ids of files are 12 random bytes, written in Crockford's Base 32.
import { crockford } from '../../bytes/crockford.ts'

/** Bytes of the ids of files, and of nodes. */
export const FILE_ID_BYTES = 12
export const NODE_ID_BYTES = 8

/** An id as the name of its file. */
export const idText = crockford

/** Whether a text is spelled as the id of a snapshot. */
export function isSnapshotId(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{20}$/.test(text)
}
