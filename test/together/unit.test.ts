import { filesOf } from './processes.ts'
import { togetherFiles } from './together.ts'

/** Tests of `npm run test:unit`: those of values, and a few more that find what is broken in seconds. */
const MORE = ['routes/headers', 'routes/zarr', 'service/store-options', 'service/view-options']
/** They start threads, wait for timers, or decode thousands of damaged chunks: `npm test` runs them. */
const SLOW = [
  'codecs/configuration',
  'codecs/kernels/broken-decoder',
  'codecs/kernels/lerc',
  'codecs/own/renumber',
  'delivery/work-watch',
  'delivery/workers',
]

const pathOf = (name: string) => `${name}.test.ts`
const slow = SLOW.map(pathOf)
togetherFiles([...MORE.map(pathOf), ...filesOf('values').filter((file) => !slow.includes(file))])
