import { runCommand } from './command.ts'
import { processEnvironment } from './config.ts'

process.exitCode = await runCommand(process.argv.slice(2), processEnvironment())
