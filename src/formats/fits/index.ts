import { latin1Text } from '../../bytes/text.ts'
import type { Format } from '../format.ts'
import { readHdus } from './read-hdus.ts'
import { toModel } from './to-model.ts'

const MAGIC = 'SIMPLE  ='

/** FITS, with its images, tables, random groups and tile-compressed images. */
export const fits: Format = {
  name: 'fits',
  recognises: (head) => latin1Text(head.subarray(0, MAGIC.length)) === MAGIC,
  async parse(source, context) {
    return await toModel(await readHdus(source, context), source, context)
  },
}
