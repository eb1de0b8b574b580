import { expect } from 'vitest'
import { runScript } from './programs.ts'
import { fillIn, type DocumentWorld, type Recipe } from './recipe.ts'
import { runShell } from './shell.ts'

/** The statuses of the check-ins that the document's monitor has. */
async function readStatuses({ server }: DocumentWorld): Promise<string[]> {
  await server.services.monitorClock.check()
  const rows = await server.services.store.db
    .selectFrom('monitor_check_ins as c')
    .innerJoin('monitors as m', (on) => on.onRef('m.id', '=', 'c.monitor_id'))
    .select('c.status')
    .where('m.slug', '=', 'nightly-backup')
    .orderBy('c.at')
    .execute()
  return rows.map(({ status }) => status)
}

/** A program whose job sends check-ins. */
export const monitoredProgram: Recipe = async (code, world) => {
  const dsn = await world.server.dsn(42)
  const before = await readStatuses(world)
  const filled = fillIn(code, { 'https://KEY@culvert.example.com/42': dsn })
  const { exitCode, output } = await runScript(filled, world, { name: 'monitor.mjs' })
  expect([exitCode, output]).toEqual([0, ''])
  await expect.poll(() => readStatuses(world)).toEqual([...before, 'ok'])
}

/** A script that sends its check-ins by curl. */
export const monitoredScript: Recipe = async (code, world) => {
  const { origin, username } = new URL(await world.server.dsn(42))
  const before = await readStatuses(world)
  const printed = await runShell(fillIn(code, { 'https://culvert.example.com': origin, KEY: username }))
  expect(printed).toBe('OKOK')
  expect(await readStatuses(world)).toEqual([...before, 'ok'])
}
