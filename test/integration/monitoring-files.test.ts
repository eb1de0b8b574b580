import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { answerMetrics } from '#server/http/answer/metrics-answer.ts'
import { startServer } from '#test/start-server.ts'

const docs = join(import.meta.dirname, '../../docs')
const token = 'a-token-for-tests'

/** The metrics that a server without destinations and backups describes. */
async function listMetrics(): Promise<Set<string>> {
  const server = await startServer({ variables: { CULVERT_METRICS_TOKEN: token } })
  const request = new Request(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answerMetrics(server.services, request).text()
  await server.stop()
  return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name))
}

/** The metrics that expressions read. Histograms are read by their buckets. */
function metricsIn(text: string): string[] {
  return [...text.matchAll(/\b((?:culvert|process)_\w+)/g)].map(([, name = '']) =>
    name.replace(/_bucket$/, ''),
  )
}

it('the alert rules for Prometheus read metrics that the server has', async () => {
  const rules = await readFile(join(docs, 'prometheus/culvert.rules.yml'), 'utf8')
  const expressions = [...rules.matchAll(/^ +expr: (?:>-\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
    ([, lines, line]) => lines ?? line ?? '',
  )
  expect(expressions).toHaveLength([...rules.matchAll(/^ +- alert: Culvert\w+$/gm)].length)
  const metrics = await listMetrics()
  const read = expressions.flatMap(metricsIn)
  expect(read.length).toBeGreaterThan(7)
  expect(read.filter((name) => !metrics.has(name))).toEqual([])
})

const Dashboard = v.object({
  panels: v.array(
    v.object({
      id: v.number(),
      title: v.string(),
      targets: v.array(v.object({ expr: v.string() })),
      gridPos: v.object({ x: v.number(), w: v.number() }),
    }),
  ),
})

it('the dashboard for Grafana reads metrics that the server has', async () => {
  const { panels } = v.parse(
    Dashboard,
    JSON.parse(await readFile(join(docs, 'grafana/culvert-dashboard.json'), 'utf8')),
  )
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  const metrics = await listMetrics()
  const read = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)))
  expect(read.filter((name) => !metrics.has(name))).toEqual([])
})
