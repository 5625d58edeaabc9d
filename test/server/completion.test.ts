import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { COMMANDS } from '../../src/server/commands/list.ts'
import { type Commands, startCommands } from '../helpers/commands.ts'

let commands: Commands
let folder: string
before(() => {
  commands = startCommands()
  folder = mkdtempSync(join(tmpdir(), 'vz-completion-'))
})
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await commands.run(['completion', shell])
  assert.equal(code, 0)
  const file = join(folder, shell)
  writeFileSync(file, stdout)
  return file
}

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** What is offered for the last of some words. */
const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['in'], ['inspect']],
  [['inspect', '--tr'], ['--tree']],
  [['inspect', 'a.nc', '--codecs', 'n'], ['native']],
  [['export', 'a.nc', '--to', 'kerchunk-'], ['kerchunk-parquet']],
  [['serve', '--file-r'], ['--file-root']],
  [['completion', 'z'], ['zsh']],
]

/** A zsh on a terminal of its own, where a function of the command's name prints what its line has become when Tab was pressed. */
const AT_PROMPT = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -d $2; source $1; virtual-zarr() { print -r -- \\"<<\\$*>>\\" }"
shift 2
for words in "$@"; do
  zpty -w -n shell "virtual-zarr $words"$'\\t\\r'
  zpty -r -m shell out '*<<[^$]*>>*'
  [[ $out =~ '<<([^$][^>]*)>>' ]] && print -r -- $match[1]
done`

test('bash completes commands, flags and the values that are known', { skip: !isInstalled('bash') }, async () => {
  const file = await scriptFor('bash')
  for (const [words, offered] of CASES) {
    const line = `source ${file}; COMP_WORDS=(virtual-zarr ${words.join(' ')}); COMP_CWORD=${words.length}; _virtual_zarr; echo "\${COMPREPLY[*]}"`
    assert.deepEqual(
      execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split(' '),
      offered,
      words.join(' '),
    )
  }
})

test('fish completes the same', { skip: !isInstalled('fish') && 'fish is not on this machine' }, async () => {
  const file = await scriptFor('fish')
  for (const [words, offered] of CASES) {
    const line = `source ${file}; complete -C 'virtual-zarr ${words.join(' ')}'`
    const lines = execFileSync('fish', ['-c', line], { encoding: 'utf8' }).trim().split('\n')
    assert.deepEqual(
      lines.map((one) => one.split('\t')[0]),
      offered,
      words.join(' '),
    )
  }
})

test('zsh completes the same at a prompt', { skip: !isInstalled('zsh') && 'zsh is not on this machine' }, async () => {
  const file = await scriptFor('zsh')
  const lines = CASES.map(([words]) => words.join(' '))
  const args = ['-f', '-c', AT_PROMPT, 'zsh', file, join(folder, 'dump'), ...lines]
  const completed = execFileSync('zsh', args, { encoding: 'utf8', timeout: 60_000 }).trim().split('\n')
  assert.deepEqual(
    completed,
    CASES.map(([words, [offered = '']]) => [...words.slice(0, -1), offered].join(' ')),
  )
})

test('every command and each of its own flags is in every script', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await commands.run(['completion', shell])
    for (const { name, flags } of COMMANDS) {
      assert.ok(stdout.includes(name), `${shell}: ${name}`)
      for (const flag of Object.keys(flags)) assert.ok(stdout.includes(flag), `${shell}: ${name} --${flag}`)
    }
  }
  const refused = await commands.run(['completion', 'tcsh'])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /tcsh is none of bash, zsh, fish/)
})
