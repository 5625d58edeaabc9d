import { runCommand } from './commands/run.ts'
import { processEnvironment } from './config.ts'

process.exitCode = await runCommand(process.argv.slice(2), processEnvironment())
