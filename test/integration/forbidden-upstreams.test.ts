import { hostname } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import { deliver } from '#server/forward/delivery.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { prepareConnectionCounter } from '#test/connection-counter.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { answerWith, startFakeUpstream } from '#test/fake-upstream.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'

const forbidden = prepareConnectionCounter()

const envelope = { body: Buffer.from('{}\n') }

function deliverTo(host: string, connect?: string) {
  const dsn = { protocol: 'http' as const, publicKey: 'e'.repeat(32), host, path: '', projectId: '1' }
  const connections = new UpstreamConnections({ allowsPrivate: false })
  return deliver({ dsn, ...(connect !== undefined && { connect }) }, envelope, {
    connections,
    bounds: { timeoutMs: 5_000 },
  })
}

describe('an upstream on this machine or a private network', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    'localhost',
    'LOCALHOST.',
    hostname(),
  ])('is not connected to: %s', async (host) => {
    const answer = await deliverTo(`${host}:${forbidden.port}`)
    expect(answer).toMatchObject({ kind: 'failed' })
    expect(await deliverTo('o1.ingest.sentry.io', `${host}:${forbidden.port}`)).toMatchObject({
      kind: 'failed',
    })
    expect(forbidden.count).toBe(0)
  })

  it('is connected to only if the operator allows it, and the error names the setting', async () => {
    expect(await deliverTo(`127.0.0.1:${forbidden.port}`)).toEqual({
      kind: 'failed',
      problem: expect.stringMatching(/private network; CULVERT_ALLOW_PRIVATE_UPSTREAMS=1/) as string,
    })
    const connections = new UpstreamConnections({ allowsPrivate: true })
    const dsn = {
      protocol: 'http' as const,
      publicKey: 'e'.repeat(32),
      host: 'localhost',
      path: '',
      projectId: '1',
    }
    await deliver({ dsn, connect: `127.0.0.1:${forbidden.port}` }, envelope, {
      connections,
      bounds: { timeoutMs: 5_000 },
    })
    expect(forbidden.count).toBe(1)
  })

  it('is reached neither by a redirect nor by the name in an envelope', async () => {
    const redirecting = await startFakeUpstream(
      answerWith(307, { location: `http://127.0.0.1:${forbidden.port}/` }),
    )
    const server = await startServer({ variables: { CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' } })
    const { store, projectKeys, forwarder } = server.services
    const { id: projectId, publicKey } = fixtureProject
    const dsn = `http://${'f'.repeat(32)}@up.example/7`
    await addUpstream(store, { projectId, dsn, connect: redirecting.address }, server.origin)
    await projectKeys.refresh()
    forwarder.start()
    const hostile = `http://${publicKey}@127.0.0.1:${forbidden.port}/${projectId}`
    const url = `${server.origin}/monitoring`
    await fetch(url, { method: 'POST', body: errorEnvelope({ header: { dsn: hostile } }) })
    await fetch(`${url}?o=1&p=${projectId}&host=127.0.0.1:${forbidden.port}`, {
      method: 'POST',
      body: errorEnvelope({ header: { dsn } }),
    })
    await fetch(url, { method: 'POST', body: errorEnvelope({ header: { dsn } }) })
    await vi.waitFor(async () => {
      const [status] = await listUpstreamStatuses(store.db, [projectId])
      expect(status?.state.answer).toBe('307, a redirect')
    }, 20_000)
    expect(forbidden.count).toBe(0)
    await server.stop()
    await redirecting.close()
  })
})
