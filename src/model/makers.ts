import { tableMakers } from './chunk-table.ts'
import { listed } from './composed-array.ts'
import { computedMakers } from './computed-array.ts'
import { gridMakers } from './other-grid.ts'
import { plainMakers } from './plain-indexes.ts'
import type { Maker } from './recipe.ts'
import { runMakers } from './run-chunks.ts'
import { textTable } from './text-table.ts'

/** Who makes again what several formats have in common. */
export const modelMakers: readonly Maker[] = [
  ...plainMakers,
  ...runMakers,
  ...computedMakers,
  ...tableMakers,
  ...gridMakers,
  textTable,
  listed,
]
