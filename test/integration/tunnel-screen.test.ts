import { afterAll, describe, expect, it } from 'vitest'
import { actions } from '#server/console/forms/actions.search.ts'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { answerWith, startFakeUpstream, takeAll } from '#test/fake-upstream.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'

const { id: projectId, name: slug } = fixtureProject
const owner = { name: 'Ada', email: 'ada@example.com', password: 'a password for tests' }

const upstream = await startFakeUpstream(answerWith(403))
const server = await startConsole({ variables: { CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' } })
await addUser(server.services.store, owner, 'owner')
const cookie = await cookieOf(server.origin, owner)
server.services.forwarder.start()
afterAll(async () => {
  await server.stop()
  await upstream.close()
})

const headers = () => ({ cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' })
const page = async (path: string) => (await fetch(server.origin + path, { headers: headers() })).text()

function post(path: string, fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(fields)
  return fetch(server.origin + path, { method: 'POST', redirect: 'manual', headers: headers(), body })
}

async function change(text: string): Promise<number> {
  const body = new URLSearchParams({ change: text })
  const answer = await fetch(server.origin + actions.upstream.url, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers(), referer: `${server.origin}/tunnel` },
    body,
  })
  return answer.status
}

const status = async () => {
  const [first] = await listUpstreamStatuses(server.services.store.db, [projectId])
  if (first === undefined) throw new Error('no upstream')
  return first
}
const send = () => postEnvelope(server.origin, errorEnvelope())

describe('the settings of upstreams', () => {
  it('show the error of a DSN, and keep the entered value', async () => {
    const answer = await post(`/projects/${slug}/upstreams`, { action: 'add', dsn: 'sentry.io' })
    expect(answer.status).toBe(422)
    const html = await answer.text()
    expect(html).toContain('This is not a DSN')
    expect(html).toContain('value="sentry.io"')
  })

  it('report that this server connects to no private network, and the setting that allows it, before an envelope is queued', async () => {
    const strict = await startConsole()
    await addUser(strict.services.store, owner, 'owner')
    const signedIn = { ...headers(), cookie: await cookieOf(strict.origin, owner) }
    const add = (host: string) =>
      fetch(`${strict.origin}/projects/${slug}/upstreams`, {
        method: 'POST',
        redirect: 'manual',
        headers: signedIn,
        body: new URLSearchParams({ action: 'add', dsn: `https://${'a'.repeat(32)}@${host}/9` }),
      })
    for (const host of ['10.0.0.7:8000', 'localhost', '[::1]:8000']) {
      const answer = await add(host)
      expect([host, answer.status]).toEqual([host, 422])
      expect(await answer.text()).toMatch(/private network[^]*CULVERT_ALLOW_PRIVATE_UPSTREAMS=1/)
    }
    expect((await add('o1.ingest.sentry.io')).status).toBe(303)
    await strict.stop()
  })

  it('add and remove, and change whether envelopes are stored here', async () => {
    const path = `/projects/${slug}/upstreams`
    const dsn = `https://${'a'.repeat(32)}@o1.ingest.de.sentry.io/9`
    expect((await post(path, { action: 'add', dsn, kinds: 'errors' })).status).toBe(303)
    expect(await page(path)).toContain('/monitoring?o=1&amp;p=9&amp;r=de')
    expect((await post(path, { action: 'mode', stored: 'false' })).status).toBe(303)
    expect((await status()).isStoredHere).toBe(false)
    await post(path, { action: 'mode', stored: 'true' })
    const { upstreamId } = await status()
    expect((await post(path, { action: 'remove', upstream: upstreamId })).status).toBe(303)
    expect(await page(path)).toContain('No forwarding set up')
  })

  it('name another project with the same DSN only to users with access to it', async () => {
    const { store } = server.services
    store.connection.exec(
      "INSERT INTO organizations (id, slug, name, created_at) VALUES (2, 'theirs', 'Theirs', 0)",
    )
    const own = await createProject(store, { name: 'Own other', slug: 'own-other' })
    const theirs = await createProject(store, { name: 'Secret', slug: 'secret', organizationId: 2 })
    server.services.accounts.forgetViewers()
    const texts = []
    for (const other of [own, theirs]) {
      const dsn = `https://${'c'.repeat(32)}@o2.ingest.sentry.io/${other.id}`
      await addUpstream(store, { projectId: other.id, dsn }, server.origin)
      const answer = await post(`/projects/${slug}/upstreams`, { action: 'add', dsn })
      expect(answer.status).toBe(422)
      const problem = /Another project forwards to this DSN already[^<]*/.exec(await answer.text())?.[0]
      texts.push(problem)
      await store.writer.deleteFrom('upstreams').where('project_id', '=', other.id).execute()
    }
    expect(texts).toEqual([
      expect.stringMatching(/The other project is “Own other”\.$/),
      expect.stringMatching(/and enter its DSN\.$/),
    ])
  })
})

describe('the screen of the tunnel', () => {
  it('shows rejected envelopes, retries them, and pauses and resumes, all without JavaScript', async () => {
    expect(await page('/tunnel')).toContain('No forwarding set up')
    const dsn = `http://${'b'.repeat(32)}@up.example/9`
    await addUpstream(server.services.store, { projectId, dsn, connect: upstream.address }, server.origin)
    await server.services.projectKeys.refresh()
    await server.services.forwarder.refresh()
    await send()
    await send()
    await expect.poll(status).toMatchObject({ failedCount: 2 })
    const { upstreamId } = await status()
    const reference = `${projectId}:${upstreamId}`
    expect(await page('/tunnel')).toContain(`retry:${reference}:1`)
    expect(server.services.metrics.registry.render()).toContain(
      'culvert_upstream_rejected_envelopes{project="fixture",upstream="up.example/9"} 2\n',
    )

    upstream.behave(takeAll)
    expect(await change(`retry:${reference}:1`)).toBe(303)
    await expect.poll(status).toMatchObject({ failedCount: 1, deliveredCount: 1 })
    expect(await change(`delete:${reference}`)).toBe(303)
    expect(await status()).toMatchObject({ failedCount: 0, droppedCount: 1 })

    expect(await change(`pause:${reference}`)).toBe(303)
    expect(await page('/tunnel')).toContain('paused')
    await send()
    expect(await status()).toMatchObject({ isPaused: true, waitingCount: 1 })
    expect(await change(`resume:${reference}`)).toBe(303)
    await expect.poll(status).toMatchObject({ waitingCount: 0, deliveredCount: 2 })
  })

  it('changes data only by its forms', async () => {
    // The state is written by the next check after `forwardStateMs`.
    await expect.poll(async () => (await status()).state.answer).toBe('200')
    const before = await status()
    const { upstreamId } = before
    const changes = [
      '',
      'pause',
      `drop:${projectId}:${upstreamId}`,
      `pause:43:${upstreamId}`,
      `retry:42:${upstreamId}:99`,
    ]
    for (const text of changes) await change(text)
    expect(await status()).toEqual(before)
  })
})
