import { afterAll, describe, expect, it } from 'vitest'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject } from '#test/start-server.ts'

/** From a tool's report of a release to the suspects of an event. */

const eventId = 'c0ffee'.repeat(6).slice(0, 32)
const commit = 'c0ffee'.repeat(7).slice(0, 40)
const releases = '/organizations/default/releases/'
const committers = `/projects/default/fixture/events/${eventId}/committers/`

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server, { name: 'ada' }))
await updateProjectSettings(server.services.store, fixtureProject.id, () => ({
  sourceLinks: {
    host: 'github',
    url: 'https://github.com/acme/shop',
    branch: 'main',
    roots: [{ from: '/app/', to: 'packages/shop/' }],
  },
}))
const frames = [
  { filename: '/app/main.ts', in_app: true },
  { filename: '/app/node_modules/pay/lib/pay.ts', in_app: false },
  { filename: '/app/src/cart.ts', in_app: true },
]
const exception = { values: [{ type: 'CartError', value: 'empty', stacktrace: { frames } }] }
await postEnvelope(
  server.origin,
  envelopeOf({ event_id: eventId }, [
    'event',
    { event_id: eventId, platform: 'node', release: 'shop@1.0.0', exception },
  ]),
)
afterAll(() => server.stop())

const report = (commits: unknown) =>
  call(`${releases}shop@1.0.0/`, { method: 'PUT', body: { projects: ['fixture'], commits } })

describe('the suspect commits of an event', () => {
  it('are none without commits, without files and without in-app frames in them', async () => {
    expect((await call(committers)).json).toEqual({ committers: [] })
    await report([
      { id: commit, message: 'Docs' },
      { id: 'b'.repeat(40), patch_set: [{ path: 'node_modules/pay/lib/pay.ts', type: 'M' }] },
    ])
    expect((await call(committers)).json).toEqual({ committers: [] })
  })

  it('have their authors, their files and their addresses', async () => {
    await report([
      {
        id: 'a'.repeat(40),
        message: 'Start',
        author_name: 'Bo',
        patch_set: [{ path: 'packages/shop/main.ts' }],
      },
      {
        id: commit,
        message: 'Speed up the cart\n\nby caching',
        author_name: 'Ada Lovelace',
        author_email: 'ADA@example.com',
        timestamp: '2026-11-20T10:00:00Z',
        repository: 'acme/shop',
        patch_set: [
          { path: 'packages/shop/src/cart.ts', type: 'M' },
          { path: 'README.md', type: 'A' },
        ],
      },
    ])
    const { json } = await call(committers)
    expect(json).toMatchObject({
      committers: [
        {
          author: { id: expect.any(String) as string, name: 'ada' },
          commits: [
            {
              id: commit,
              message: 'Speed up the cart',
              path: 'packages/shop/src/cart.ts',
              url: `https://github.com/acme/shop/commit/${commit}`,
              dateCreated: '2026-11-20T10:00:00.000Z',
            },
          ],
        },
        { author: { name: 'Bo' }, commits: [{ id: 'a'.repeat(40) }] },
      ],
    })
  })

  it('are limited, whatever a tool reports', async () => {
    const files = Array.from({ length: 3_000 }, (_, index) => ({ path: `src/${index}.ts` }))
    await report([
      { id: 'c'.repeat(40), patch_set: [{ path: 'x/'.repeat(5_000) }, { path: '\0' }, ...files] },
      ...Array.from({ length: 9 }, (_, index) => ({ id: String(index).repeat(40), patch_set: files })),
    ])
    const { connection } = server.services.store
    const rows = connection.prepare('SELECT files FROM release_commits ORDER BY number').all()
    const counts = rows.map((row) => (JSON.parse(String(row['files'])) as unknown[]).length)
    expect(counts).toEqual([500, 500, 500, 500, 0, 0, 0, 0, 0, 0])
    expect((await report([{ id: 'a', patch_set: 'none' }])).status).toBe(400)
    expect((await call('/projects/default/other/events/none/committers/')).status).toBe(404)
  })
})
