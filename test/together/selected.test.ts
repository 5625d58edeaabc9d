import { togetherFiles } from './together.ts'

// The files that `npm test -- PATH` names; none where this is run by itself.
togetherFiles(JSON.parse(process.env['TEST_FILES'] ?? '[]'))
