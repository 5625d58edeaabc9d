import { openDocument, openPattern } from './open-documents.ts'
import { openStac } from './open-stac.ts'
import { openVrt } from './open-vrt.ts'

/** The ways to open what is made of many sources: a page loads each of them when it meets such a source. */
export const OPENERS = { openDocument, openPattern, openStac, openVrt }
