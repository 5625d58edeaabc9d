import { openReading } from '../../service/values/read-array.ts'
import { readStatistics } from '../../service/values/statistics.ts'
import { withProgressBar } from '../progress-bar.ts'
import { statisticsJson, statisticsText } from '../statistics-text.ts'
import { valuesJson, valuesText } from '../values-text.ts'
import { type Given, isGiven, textOf } from './command.ts'
import { print, withStore } from './reading.ts'

/** `virtual-zarr read URL ARRAY [--slice 0,1:3] [--stats] [--decoded] [--json] [--all]` */
export async function readCommand(given: Given): Promise<undefined> {
  const path = given.words[1] ?? ''
  const [slice, isJson, isAll] = [textOf(given, 'slice'), isGiven(given, 'json'), isGiven(given, 'all')]
  await withStore(given, new Map([['codecs', 'raw'], ...given.options]), async (stores, address) => {
    const reading = await openReading(stores, { address, path, slice, isDecoded: isGiven(given, 'decoded') })
    if (!isGiven(given, 'stats')) return await print(isJson ? valuesJson(reading, isAll) : valuesText(reading, isAll))
    const under = { read: 0, of: 0 }
    const counting = readStatistics(reading, (read, of) => Object.assign(under, { read, of }))
    const statistics = await withProgressBar(counting, () => under, process.stderr, 'chunks')
    return await print([isJson ? statisticsJson(reading, statistics) : statisticsText(reading, statistics)])
  })
}
