import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'

const { id, publicKey } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
  const { store, projectKeys } = server.services
  await updateProjectSettings(store, id, () => ({ allowedOrigins: ['*.example.com'] }))
  await projectKeys.refresh()
})
afterEach(() => server.stop())

function sendFrom(origin: string, header: Record<string, unknown> = {}): Promise<Response> {
  const query = header['dsn'] === undefined ? `?sentry_key=${publicKey}` : ''
  return fetch(`${server.origin}/api/${id}/envelope/${query}`, {
    method: 'POST',
    body: errorEnvelope({ header }),
    headers: { origin },
  })
}

describe('a project with allowed origins', () => {
  it('accepts events of listed pages, and events without an Origin header', async () => {
    expect((await sendFrom('https://shop.example.com')).status).toBe(200)
    expect((await sendFrom('null')).status).toBe(200)
  })

  it('rejects others, with an answer that their SDK can read, and counts them', async () => {
    const { host } = new URL(server.origin)
    for (const header of [{}, { dsn: `http://${publicKey}@${host}/${id}` }]) {
      const answer = await sendFrom('https://elsewhere.example', header)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(await answer.json()).toEqual({ detail: 'event submission rejected with_reason: Cors' })
    }
    await server.services.rejectedCounts.flush()
    expect(await countedOutcomes(server.services.store, id)).toEqual({ 'unknown invalid cors': 2 })
  })
})
