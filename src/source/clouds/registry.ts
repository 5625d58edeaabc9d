import { azure } from './azure.ts'
import type { Cloud } from './cloud.ts'
import { gs } from './gs.ts'
import { s3 } from './s3.ts'

/** Every kind of store that is read. */
export const CLOUDS: readonly Cloud[] = [s3, gs, azure]

/** The kind of store that a URL's scheme (with its colon) belongs to. */
export function cloudOf(scheme: string): Cloud | undefined {
  return CLOUDS.find(({ schemes }) => schemes.includes(scheme))
}
