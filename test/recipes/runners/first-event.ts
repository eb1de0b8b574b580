import { expect } from 'vitest'
import { stepsOf } from '../support/guides.ts'
import { exceptionValues } from './programs.ts'
import type { DocumentWorld, Recipe } from './recipe.ts'
import { runShell } from './shell.ts'

/** The README's first event: curl, with the parts of the DSN in variables. */
export const readmeCurl: Recipe = async (code, { server, cookie }) => {
  const { username, origin } = new URL(await server.dsn(2))
  const printed = await runShell(code, { variables: { ORIGIN: origin, PROJECT: '2', KEY: username } })
  expect(JSON.parse(printed)).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) as string })
  const issues = await fetch(`${server.origin}/issues`, { headers: { accept: 'text/html', cookie } })
  expect(await issues.text()).toContain('The stream is under the road')
}

/** The console's guide for curl. */
export async function runCurlGuide(world: DocumentWorld): Promise<void> {
  const steps = stepsOf('curl', await world.server.dsn(42))
  expect(steps.map(({ label }) => label)).toEqual(['Shell'])
  await runShell(steps[0]?.code ?? '')
  expect(await exceptionValues(world, 42)).toContain('First event from curl')
}
