import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { listDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import { addOwnerIn } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { root } from '../support/documents.ts'
import { plainEnv } from '../support/fixture-install.ts'
import { runProgram } from '../support/run-program.ts'
import { fillIn, type Recipe } from './recipe.ts'
import { runCommands, runShell } from './shell.ts'

/** Commands for project 42 of a running server; `prints` must be in the output of the last one. */
export function commandsFor42(prints: string, prepare = ''): Recipe {
  return async (code, { server }) => {
    const { dataDir } = server.services.env
    if (prepare !== '') await runCommands(prepare, dataDir)
    expect(await runCommands(code, dataDir)).toContain(prints)
  }
}

/** Commands on a data directory without a server. */
export function commandsAlone(
  {
    prepare,
    values = () => ({}),
  }: {
    prepare?: (dataDir: string) => Promise<unknown>
    values?: (dataDir: string) => Record<string, string>
  },
  ...prints: string[]
): Recipe {
  return async (code) => {
    const dataDir = await createTempDir()
    try {
      await prepare?.(dataDir.path)
      const printed = await runCommands(fillIn(code, values(dataDir.path)), dataDir.path)
      for (const text of prints) expect(printed).toContain(text)
    } finally {
      await dataDir.remove()
    }
  }
}

/** The README's commands, with the real npm. */
export const realNpm: Recipe = async (code, { server }) => {
  const printed = await runShell(code, { variables: { CULVERT_DATA_DIR: server.services.env.dataDir } })
  expect(printed).toContain('Checkout API')
}

const backup = 'npm run -s culvert -- backup'

/** A backup next to the data, for a restore. */
export async function backUp(dataDir: string): Promise<void> {
  await addOwnerIn(dataDir)
  await runCommands(`${backup} '${dataDir}/culvert-monday.db'`, dataDir)
}

/** Each command for a dead letter, which the guide calls LETTER: an item that Culvert failed to process. */
export const deadLetters: Recipe = async (code, { server }) => {
  const { committer, env, store } = server.services
  for (const line of code.split('\n')) {
    const letter = {
      projectId: 42,
      itemType: 'event',
      category: 'error',
      reason: 'x is undefined',
      receivedAt: Date.now(),
      origin: {},
      payload: Buffer.from('{"message":"buried"}'),
    } as const
    await committer.commit({ events: [], outcomes: [], deadLetters: [letter] })
    const [listed] = await listDeadLetters(store.db, { limit: 1 })
    const name = `${listed?.project.id}:${listed?.id}`
    const printed = await runCommands(line.replace('LETTER', name), env.dataDir)
    expect(printed).toMatch(/x is undefined|[12] processed, 0 failed again|1 deleted/)
  }
  expect(await listDeadLetters(store.db, { limit: 1 })).toEqual([])
}

const scripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
).scripts

/**
 * Commands for contributors, which take minutes or never end: each must be a script of package.json, and the
 * steps of `npm test` and the measurements of `npm run bench` must exist.
 */
export const knownScripts: Recipe = async (code) => {
  for (const line of code.split('\n')) {
    const [, name = '', words = ''] = /^npm (?:run (?:-s )?)?([\w:-]+)(?: -- ([^#]*))?/.exec(line) ?? []
    expect(Object.keys(scripts)).toContain(name)
    const [first = ''] = words.trim().split(/\s+/)
    if (name === 'bench') await expectListed(['bench/main.ts', 'no-such-measurement'], first)
    const steps = name === 'test' ? words.trim().split(/\s+/) : []
    for (const step of steps) if (/^\w/.test(step)) await expectListed(['bin/test.ts', 'no-such-step'], step)
  }
}

/** The program lists this name in its answer to an unknown one. */
async function expectListed(command: string[], name: string): Promise<void> {
  const { exitCode, output } = await runProgram([process.execPath, ...command], { cwd: root, env: plainEnv })
  expect([exitCode, output]).toEqual([2, expect.stringMatching(new RegExp(`\\b${name}\\b`))])
}
