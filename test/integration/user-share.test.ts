import { afterAll, describe, expect, it, vi } from 'vitest'
import { startTestConsole } from '#test/test-console.ts'

/** An event for each user. */
const eventsOf = (name: string, userCount: number) =>
  Array.from({ length: userCount }, (_, index) => ({
    message: name,
    fingerprint: [name],
    user: { id: String(index) },
  }))

const server = await startTestConsole()
await server.send(...eventsOf('everyone', 25), ...eventsOf('some', 6), ...eventsOf('alone', 1))
// Under load users are counted shortly after the commit.
const counted = 'SELECT 1 FROM project_user_counts WHERE user_count = 25'
const isCounted = () =>
  server.read(counted).length === 1 && server.read('SELECT 1 FROM counter_deltas').length === 0
await vi.waitUntil(isCounted, { timeout: 10_000 })
afterAll(() => server.stop())

/** Titles of the users' cells of the stream, by the share next to them. */
async function readShares(): Promise<string[]> {
  const html = await (await server.open('member', '/issues?sort=users')).text()
  return [...html.matchAll(/title="([^"]* of all users with events in this project)"/g)].map(
    ([, title]) => title ?? '',
  )
}

describe('the stream', () => {
  it('shows the share of the project’s users that an issue affects, and none for a single user', async () => {
    expect(await readShares()).toEqual([
      '25 users, about 100% of all users with events in this project',
      '6 users, about 24% of all users with events in this project',
    ])
  })

  it('has the same shares of the remaining issues after one was deleted', async () => {
    const [issueIds = ''] = server.read(`SELECT id FROM issues WHERE title = 'everyone'`)
    const { status } = await server.post('admin', 'issueDeletion', { issueIds })
    expect(status).toBeLessThan(400)
    expect(await readShares()).toEqual(['6 users, about 24% of all users with events in this project'])
  })
})
