import { parseArgs } from 'node:util'
import { ATTACKS, BOMB_ATTACKS } from './attacks.ts'
import { LIMITS_MIB, type Outcome, runAttack, violationOf } from './budget.ts'

const HELP = `npm run budget -- [--only TEXT] [--limit MIB] [--bombs]

Every attack on a new server of 512, 768 and 1,536 MiB, with honest clients beside it: none may end the server, nor delay honest requests
(p99 under 2 s) or its health (under 250 ms). Exits with 1 where one does.
--only     attacks whose names hold this text
--limit    this limit alone
--bombs    also the hostile sources of npm run bombs, eight of each at once: an hour`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string' },
    bombs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function run(): Promise<void> {
  const limits = LIMITS_MIB.filter((limit) => values.limit === undefined || String(limit) === values.limit)
  const attacks = [...ATTACKS, ...(values.bombs ? BOMB_ATTACKS : [])].filter(({ name }) => name.includes(values.only))
  let violations = 0
  console.log('| attack | MiB | peak MiB | kills | honest p99 ms (failed) | health ms (own) | answers | verdict |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const attack of attacks) {
    for (const limit of limits) {
      const outcome = await runAttack(attack, limit)
      const violation = violationOf(outcome)
      if (violation !== undefined) violations++
      console.log(rowOf(outcome, violation))
    }
  }
  console.log(`${violations} violations in ${attacks.length * limits.length} attacks`)
  process.exitCode = violations === 0 ? 0 : 1
}

function rowOf(outcome: Outcome, violation: string | undefined): string {
  const answers = Object.entries(outcome.statuses).map(([status, count]) => `${count} x ${status}`)
  const cells = [
    outcome.attack,
    outcome.limitMib,
    outcome.peakMib,
    outcome.kills,
    `${outcome.honestP99Milliseconds.toFixed(0)} (${outcome.honestFailures} of ${outcome.honestAnswers + outcome.honestFailures})`,
    `${outcome.healthMilliseconds.toFixed(0)} (${outcome.ownHealthMilliseconds.toFixed(0)})`,
    answers.join(', '),
    violation ?? 'ok',
  ]
  return `| ${cells.join(' | ')} |`
}

if (values.help) console.log(HELP)
else await run()
