import type { Format } from '../format.ts'
import { fitsMark } from './mark.ts'
import { readHdus } from './read-hdus.ts'
import { tileIndex } from './tile-index.ts'
import { toModel } from './to-model.ts'
import { worldValues } from './world-axes.ts'

/** FITS, with its images, tables, random groups and tile-compressed images. */
export const fits: Format = {
  ...fitsMark,
  makers: [tileIndex, worldValues],
  async parse(source, context) {
    return await toModel(await readHdus(source, context), source, context)
  },
}
