import { describe, expect, it, onTestFinished } from 'vitest'
import { answerMetrics } from '#server/http/metrics-answer.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { fixtureProject, startServer, type TestServer } from '../support/start-server.ts'

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
  it('are there for who has the token', async () => {
    const server = await startMeasured()
    expect(ask(server).status).toBe(200)
    expect(ask(server).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    for (const wrong of ['', `Bearer ${token}x`, 'Bearer', `Basic ${token}`]) {
      expect(ask(server, wrong).status).toBe(401)
    }
  })

  it('are nowhere without one', async () => {
    const server = await startMeasured({})
    expect(ask(server).status).toBe(404)
  })

  it('count what came in, by what became of it, and how long it took', async () => {
    const server = await startMeasured()
    const eventId = randomEventId()
    for (const body of [errorEnvelope({ eventId }), errorEnvelope({ eventId }), errorEnvelope()]) {
      await fetch(
        `${server.origin}/api/${fixtureProject.id}/envelope/?sentry_key=${fixtureProject.publicKey}`,
        {
          method: 'POST',
          body,
        },
      )
    }
    const text = await ask(server).text()
    expect(text).toContain('culvert_items_total{category="error",outcome="accepted",reason=""} 2')
    expect(text).toContain('culvert_items_total{category="error",outcome="invalid",reason="duplicate"} 1')
    expect(text).toContain('culvert_commit_seconds_count 3')
    expect(text).toMatch(/^culvert_database_bytes\{kind="file"\} \d{5,}$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m)
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
