import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatReport, reportFailures } from '../generators/check-report.ts'
import { allGenerators } from '../generators/run.ts'

const generators = await allGenerators()

describe('random documents of each grammar, as the reference reader reads them', () => {
  for (const { name, generate } of generators) {
    test(name, async () => {
      const report = await generate(1, 60)
      assert.deepEqual(reportFailures(report), [], formatReport(name, 1, report))
    })
  }
})
