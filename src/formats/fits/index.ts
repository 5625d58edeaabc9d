import type { Format } from '../format.ts'
import { readHdus } from './read-hdus.ts'
import { toModel } from './to-model.ts'

const MAGIC = 'SIMPLE  ='

/** FITS, with its images, tables, random groups and tile-compressed images. */
export const fits: Format = {
  name: 'fits',
  recognises: (head) => Buffer.from(head.subarray(0, MAGIC.length)).toString('latin1') === MAGIC,
  async parse(source, context) {
    return toModel(await readHdus(source, context), source, context)
  },
}
