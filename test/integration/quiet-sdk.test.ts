import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'

const { id } = fixtureProject
const program = new URL('fixtures/limited-app.ts', import.meta.url)

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

it('a rate-limited SDK in Node sends nothing for that time, and reports the discarded events afterwards', async () => {
  const { store, projectKeys, rejectedCounts } = server.services
  await updateProjectSettings(store, id, ({ rateLimits }) => ({
    rateLimits: { ...rateLimits, key: { error: { quantity: 1, windowSeconds: 2 } } },
  }))
  await projectKeys.refresh()
  await promisify(execFile)(process.execPath, [program.pathname, '7', '2200'], {
    env: { ...process.env, SENTRY_DSN: await server.dsn(id) },
  })
  await rejectedCounts.flush()
  expect(await countedOutcomes(store, id)).toMatchObject({
    'error accepted': 2,
    // Only the first, whose answer had the limit: the seven after it were not sent.
    'error rate_limited key_limit': 1,
    'error client_discard ratelimit_backoff': 7,
  })
}, 30_000)
