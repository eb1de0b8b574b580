import { afterAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { fixtureProject } from '#test/start-server.ts'
import { startTestConsole, type TestPerson } from '#test/test-console.ts'

const server = await startTestConsole()
afterAll(() => server.stop())

interface Stream {
  status: number
  headers: Headers
  /** Resolves with everything received as soon as it matches; rejects after five seconds. */
  waitFor: (text: RegExp) => Promise<string>
  /** Resolves when the server has ended it. */
  ended: Promise<void>
  leave: () => void
}

async function listen(person: TestPerson): Promise<Stream> {
  const leaving = new AbortController()
  const answer = await server.open(person, '/live', { signal: leaving.signal })
  let received = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) received += decoder.decode(chunk, { stream: true })
  }
  const ended = read().catch(() => {})
  return {
    status: answer.status,
    headers: answer.headers,
    waitFor: async (text) => {
      await expect.poll(() => received).toMatch(text)
      return received
    },
    ended,
    leave: () => leaving.abort(),
  }
}

const resolveAll = () =>
  server.services.store.connection.exec(
    `UPDATE issues SET status = 'resolved', status_changed_at = ${Date.now() - 60_000}`,
  )

describe('the event stream', () => {
  it('is not cached, buffered or compressed by a proxy', async () => {
    const stream = await listen('viewer')
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(stream.headers.get('content-encoding')).toBeNull()
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    stream.leave()
    await stream.ended
  })

  it('sends the marks of the projects at once, and again for each new and each reopened issue', async () => {
    await server.send({ message: 'first', fingerprint: ['first'] })
    const stream = await listen('member')
    await stream.waitFor(new RegExp(`event: issues\ndata: \\{.*"${fixtureProject.id}":\\[1,0\\]`))
    await server.send({ message: 'second', fingerprint: ['second'] })
    await stream.waitFor(new RegExp(`"${fixtureProject.id}":\\[2,0\\]`))
    resolveAll()
    await server.send({ message: 'first', fingerprint: ['first'] })
    expect(await stream.waitFor(new RegExp(`"${fixtureProject.id}":\\[2,1\\]`))).toContain('event: issues')
    stream.leave()
    await stream.ended
  })

  it('sends nothing for another event of a known issue, and nothing to users without access to the project', async () => {
    const [own, other] = [await listen('admin'), await listen('outsider')]
    await own.waitFor(/issues/)
    await server.send({ message: 'second', fingerprint: ['second'] })
    await server.send({ message: 'third', fingerprint: ['third'] })
    const received = await own.waitFor(new RegExp(`"${fixtureProject.id}":\\[3,`))
    expect(received.match(/event: issues/g)).toHaveLength(2)
    expect(await other.waitFor(/retry/)).not.toContain('issues')
    own.leave()
    other.leave()
    await Promise.all([own.ended, other.ended])
  })

  it('is limited for each user: the oldest is closed, and none stays open after the client disconnected', async () => {
    const { live } = server.services
    await expect.poll(() => live.openCount).toBe(0)
    const streams: Stream[] = []
    for (let count = 0; count <= limits.liveStreamsPerUser; count += 1) streams.push(await listen('viewer'))
    await streams[0]?.ended
    await streams.at(-1)?.waitFor(/issues/)
    expect(live.openCount).toBe(limits.liveStreamsPerUser)
    for (const stream of streams) stream.leave()
    await Promise.all(streams.map(({ ended }) => ended))
    // The next heartbeat would fail.
    await expect.poll(() => live.openCount, { timeout: limits.liveHeartbeatMs / 3 }).toBe(0)
  })

  it('batches a flood of new issues into few messages', async () => {
    const stream = await listen('member')
    await stream.waitFor(/issues/)
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        server.send({ message: 'flood', fingerprint: [`flood ${number}`] }),
      ),
    )
    const [last = ''] = server.read(`SELECT last_issue_number FROM projects WHERE id = ${fixtureProject.id}`)
    const received = await stream.waitFor(new RegExp(`"${fixtureProject.id}":\\[${last},`))
    const looks = (performance.now() - startedAt) / limits.livePollMs
    expect(received.match(/event: issues/g)?.length).toBeLessThanOrEqual(2 + looks)
    stream.leave()
    await stream.ended
  })

  it('ends when the user loses access to a project', async () => {
    const { store, accounts } = server.services
    const stream = await listen('viewer')
    const before = await stream.waitFor(/issues/)
    store.connection.exec(
      `DELETE FROM memberships WHERE user_id = (SELECT id FROM users WHERE name = 'viewer')`,
    )
    accounts.forgetViewers()
    await server.send({ message: 'secret', fingerprint: ['secret'] })
    await stream.ended
    expect(await stream.waitFor(/./)).toBe(before)
  })

  it('ends with the session', async () => {
    const { store, accounts } = server.services
    const stream = await listen('member')
    const before = await stream.waitFor(/issues/)
    store.connection.exec(`DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE name = 'member')`)
    accounts.forgetViewers()
    await server.send({ message: 'later', fingerprint: ['later'] })
    await stream.ended
    expect(await stream.waitFor(/./)).toBe(before)
    expect((await server.open('member', '/live')).status).toBe(401)
  })

  it('ends when the server stops', async () => {
    const stream = await listen('admin')
    await stream.waitFor(/issues/)
    server.services.readiness.stop()
    await stream.ended
    expect(server.services.live.openCount).toBe(0)
  })
})
