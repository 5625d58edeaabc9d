import { writeJson } from '../../json/write.ts'
import { inspectionOf } from '../../service/inspect.ts'
import { inspectionText } from '../inspection-text.ts'
import { treeText } from '../inspection-tree.ts'
import { type Given, isGiven } from './command.ts'
import { print, withStore } from './reading.ts'

/** `virtual-zarr inspect URL [--tree] [--json] [--all]` */
export async function inspectCommand(given: Given): Promise<undefined> {
  await withStore(given, given.options, async (stores, address) => {
    const inspection = inspectionOf(await stores.describe(address))
    const isAll = isGiven(given, 'all')
    if (isGiven(given, 'json')) await print([`${writeJson(inspection)}\n`])
    else await print([isGiven(given, 'tree') ? treeText(inspection, isAll) : inspectionText(inspection, isAll)])
  })
}
