import * as v from 'valibot'
import { afterAll, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject } from '#test/start-server.ts'

const org = '/organizations/default'
const Table = v.object({ data: v.array(v.record(v.string(), v.unknown())) })

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
const at = Math.floor(Date.now() / 1000) - 10
const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'pageload' }
const transaction = {
  transaction: '/checkout',
  start_timestamp: at,
  timestamp: at + 2,
  contexts: { trace },
  spans: [
    {
      ...trace,
      span_id: 'c'.repeat(16),
      op: 'db.query',
      description: 'SELECT name FROM shops',
      start_timestamp: at,
      timestamp: at + 1,
    },
  ],
}
await postEnvelope(server.origin, envelopeOf({}, ['transaction', transaction]))
afterAll(() => server.stop())

it('the Apdex has the threshold of the project, or its own', async () => {
  const fields = ['apdex()', 'apdex(1000)', 'apdex(transaction.duration,2500)']
  const query = fields.map((field) => `field=${encodeURIComponent(field)}`).join('&')
  const read = async () => {
    const { json } = await call(
      `${org}/events/?dataset=transactions&statsPeriod=24h&${query}&query=transaction:/checkout&sort=-apdex()`,
    )
    return v.parse(Table, json).data.map((row) => fields.map((field) => row[field]))
  }
  const series = async (projects: string) => {
    const path = `${org}/events-stats/?dataset=transactions&query=checkout&yAxis=apdex()&statsPeriod=2h${projects}`
    return JSON.stringify((await call(path)).json)
  }
  await expect.poll(read, { timeout: 20_000 }).toEqual([[0, 0.5, 1]])
  expect(await series('')).not.toContain('"count":0.5')
  const threshold = '/projects/default/fixture/transaction-threshold/configure/'
  const preset = { id: null, threshold: '300', metric: 'duration', projectId: String(fixtureProject.id) }
  expect((await call(threshold)).json).toEqual(preset)
  const post = async (body: object) => (await call(threshold, { method: 'POST', body })).status
  expect(await post({ threshold: '500', metric: 'duration' })).toBe(200)
  expect((await call(threshold)).json).toEqual({ ...preset, id: String(fixtureProject.id), threshold: '500' })
  for (const body of [{ threshold: 0 }, { threshold: 'x' }, { threshold: 500, metric: 'lcp' }])
    expect(await post(body)).toBe(400)
  expect(await read()).toEqual([[0.5, 0.5, 1]])
  expect(await series('&project=fixture')).toContain('"count":0.5')
  // The thresholds of several projects differ.
  expect(await series('')).not.toContain('"count":0.5')
  const viewer = { token: await addToken(server, { name: 'viewer', role: 'viewer' }) }
  for (const method of ['POST', 'DELETE'])
    expect((await call(threshold, { method, body: { threshold: 500 }, ...viewer })).status).toBe(403)
  expect((await call(threshold, { method: 'DELETE' })).status).toBe(204)
  expect((await call(threshold)).json).toEqual(preset)
})

it('event counts are without performance problems, unless these are searched', async () => {
  const count = async (query: string) => {
    const { json } = await call(`${org}/events/?field=count()&statsPeriod=24h&query=${query}`)
    return v.parse(Table, json).data.reduce((sum, row) => sum + Number(row['count()']), 0)
  }
  expect(await count('Slow')).toBe(0)
  await expect.poll(() => count('issue.category:performance'), { timeout: 20_000 }).toBe(1)
  expect(await count('')).toBe(await count('!issue.category:performance'))
  const { json } = await call(`${org}/events-stats/?yAxis=count()&query=Slow`)
  expect(JSON.stringify(json)).not.toContain('"count":1')
})
