import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { findFreePort } from '#test/listen-locally.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { root } from '../support/documents.ts'
import { startProgram, type RunningProgram } from '../support/run-program.ts'
import { skip } from '../support/skip.ts'
import { fillIn, type Recipe } from './recipe.ts'
import { runShell } from './shell.ts'

/** PATH without the Node that the project downloads. */
const machinePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(root))
  .join(delimiter)

const machineEnv = { HOME: process.env['HOME'], PATH: machinePath }

/** A clone of this repository that is started, with the dependencies and the build in place. */
export const cloneAndStart: Recipe = async (code, { context }) => {
  if (!existsSync(join(root, '.git')))
    skip(context, 'this copy of the project is not a git repository to clone')
  const [clone = '', start = ''] = code.split('\n')
  expect(start).toBe('npm start')
  const folder = await createTempDir()
  await runShell(fillIn(clone, { '<this repository>': root }), { cwd: folder.path, variables: machineEnv })
  const culvert = join(folder.path, 'culvert')
  for (const name of ['.node', 'node_modules']) symlinkSync(join(root, name), join(culvert, name))
  cpSync(join(root, 'dist'), join(culvert, 'dist'), { recursive: true })
  const running = await startInShell(start, culvert, await findFreePort())
  // The server may answer before it prints.
  await expect.poll(() => running.output()).toMatch(/http:\/\/[0-9a-f]{32}@127\.0\.0\.1:\d+\/2/)
  await running.stop()
  await folder.remove()
}

/** The function that Vercel would run, with the machine's own Node. */
export const vercelFunction: Recipe = async (code) => {
  const dataDir = await createTempDir()
  const port = await findFreePort()
  const filled = fillIn(code, { '/tmp/culvert': dataDir.path, '3000': String(port) })
  const running = await startInShell(filled, root, port)
  const health = await fetch(`${running.origin}/healthz`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
  const file = await fetch(`${running.origin}/icon.svg`)
  expect(file.status).toBe(200)
  await running.stop()
  await dataDir.remove()
}

/** Starts a server with a command, as in a terminal: stopping it stops all of its children. */
function startInShell(command: string, cwd: string, port: number): Promise<RunningProgram> {
  return startProgram(['bash', '-c', command], port, {
    cwd,
    detached: true,
    env: { ...machineEnv, PORT: String(port) },
  })
}
