import { describe, expect, it, onTestFinished } from 'vitest'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { answerMetrics } from '#server/http/answer/metrics-answer.ts'
import { listUpstreams } from '#server/store/upstreams/upstreams.ts'
import { onPostgres } from '#test/engine.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'

const token = 'a token for tests'.replaceAll(' ', '-')

async function startMeasured(variables: Record<string, string> = { CULVERT_METRICS_TOKEN: token }) {
  const server = await startServer({ variables })
  onTestFinished(() => server.stop())
  return server
}

function ask({ services, origin }: TestServer, authorization = `Bearer ${token}`): Response {
  return answerMetrics(services, new Request(`${origin}/metrics`, { headers: { authorization } }))
}

describe('the metrics', () => {
  it('require the token', async () => {
    const server = await startMeasured()
    expect(ask(server).status).toBe(200)
    expect(ask(server).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    for (const wrong of ['', `Bearer ${token}x`, 'Bearer', `Basic ${token}`]) {
      expect(ask(server, wrong).status).toBe(401)
    }
  })

  it('are 404 unless a token is set', async () => {
    const server = await startMeasured({})
    expect(ask(server).status).toBe(404)
  })

  it('count received items by outcome and duration', async () => {
    const server = await startMeasured()
    const eventId = randomEventId()
    for (const body of [errorEnvelope({ eventId }), errorEnvelope({ eventId }), errorEnvelope()]) {
      await postEnvelope(server.origin, body)
    }
    const text = await ask(server).text()
    expect(text).toContain('culvert_items_total{category="error",outcome="accepted",reason=""} 2')
    expect(text).toContain('culvert_items_total{category="error",outcome="invalid",reason="duplicate"} 1')
    expect(text).toContain('culvert_commit_seconds_count 3')
    expect(text).toMatch(/^culvert_database_bytes\{kind="file"\} \d{5,}$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m)
    expect(text).toMatch(/^process_cpu_seconds_total \d/m)
    // The disk of a database server is not this machine's.
    expect(/^culvert_disk_free_bytes \d{7,}$/m.test(text)).toBe(!onPostgres)
    expect(text).toContain('culvert_dead_letters 0\n')
    expect(text).not.toMatch(/^culvert_last_backup_timestamp_seconds /m)
    server.services.store.connection.exec(
      `INSERT INTO settings VALUES ('last_backup', '{"at":1700000000000,"bytes":1,"path":"/a"}')`,
    )
    expect(await ask(server).text()).toContain('culvert_last_backup_timestamp_seconds 1700000000\n')
  })

  it("have the values of each upstream's screen", async () => {
    const server = await startMeasured()
    const { store, committer, projectKeys } = server.services
    const dsn = `https://${'a'.repeat(32)}@up.example/7`
    await addUpstream(store, { projectId: fixtureProject.id, dsn }, server.origin)
    await projectKeys.refresh()
    await postEnvelope(server.origin, errorEnvelope())
    const [upstream] = await listUpstreams(store.db)
    if (upstream === undefined) throw new Error('no upstream')
    const soon = Date.now() + 60_000
    const state = JSON.stringify({
      deliveredAt: 1_700_000_000_000,
      answeredAt: 1_700_000_001_500,
      answer: '429',
      failureCount: 3,
      retryAt: soon,
      held: [
        { category: 'error', until: soon },
        { category: 'session', until: 1 },
      ],
    })
    const upstreamStates = [{ ...upstream, state }]
    await committer.commit({ events: [], outcomes: [], deadLetters: [], upstreamStates })
    const text = await ask(server).text()
    const valueOf = (name: string, further = '') =>
      new RegExp(
        String.raw`^culvert_upstream_${name}\{project="fixture",upstream="up\.example/7"${further}\} (.+)$`,
        'm',
      ).exec(text)?.[1]
    expect(valueOf('waiting_envelopes')).toBe('1')
    expect(Number(valueOf('oldest_waiting_seconds'))).toBeLessThan(60)
    expect(valueOf('failures')).toBe('3')
    expect(valueOf('last_delivery_timestamp_seconds')).toBe('1700000000')
    expect(valueOf('last_answer_timestamp_seconds', ',answer="429"')).toBe('1700000001.5')
    expect(Number(valueOf('next_try_seconds'))).toBeGreaterThan(1)
    expect(Number(valueOf('limit_seconds', ',category="error"'))).toBeGreaterThan(1)
    expect(valueOf('limit_seconds', ',category="session"')).toBeUndefined()
  })

  it('are in Prometheus’s text format', async () => {
    const text = await ask(await startMeasured()).text()
    const line =
      /^(?:# (?:HELP \w+ .+|TYPE \w+ (?:counter|gauge|histogram))|\w+(?:\{\w+="[^"\n]*"(?:,\w+="[^"\n]*")*\})? -?[\d.e+-]+)$/
    expect(text.endsWith('\n')).toBe(true)
    for (const each of text.trimEnd().split('\n')) expect(each).toMatch(line)
    const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
