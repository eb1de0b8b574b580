/**
 * The function of the build for Vercel behind the tests' launcher, on its own PostgreSQL server: the first
 * answer of an instance, from the moment at which the host can pass it a request, with the CPU time of the
 * process from its start to that answer, and the following answers, one connection at a time.
 *
 * npm run bench -- vercel          BENCH_ROUNDS (7), BENCH_EVENTS (300)
 */
import { createProject } from '#server/store/projects/projects.ts'
import { openStore } from '#server/store/store.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { startPostgresCluster } from '#test/postgres-cluster.ts'
import { buildForVercel, startVercelFunction } from '#test/vercel-function.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { summarize, toText } from './support/latencies.ts'

/** Prints the times of first and of further answers. Every answer must be 200. */
export async function runVercelBench(): Promise<void> {
  const roundCount = Number(process.env['BENCH_ROUNDS'] ?? 7)
  const eventCount = Number(process.env['BENCH_EVENTS'] ?? 300)
  const output = await buildForVercel()
  const cluster = await startPostgresCluster({ isDurable: true })
  try {
    const url = await cluster.createDatabase('bench')
    const store = await openStore({ path: url, clock: Date.now })
    const { projectId, publicKey } = await addProject(store)
    await store.close()
    const first: number[] = []
    const further: number[] = []
    const cpu: number[] = []
    for (let round = 0; round < roundCount; round += 1) {
      const running = await startVercelFunction(output, { DATABASE_URL: url })
      try {
        const target = `${running.origin}/api/${projectId}/envelope/?sentry_key=${publicKey}`
        first.push(await send(target))
        cpu.push(readProcessUsage(running.pid).cpuSeconds * 1000)
        for (let event = 1; event < eventCount; event += 1) further.push(await send(target))
      } finally {
        await running.stop()
      }
    }
    console.log(`first answer of an instance: ${toText(summarize(first))} (${roundCount} instances)`)
    console.log(`CPU time until then:         ${toText(summarize(cpu))}`)
    console.log(`further answers:             ${toText(summarize(further))} (${further.length} events)`)
  } finally {
    await cluster.stop()
    await output.remove()
  }
}

async function addProject(
  store: Awaited<ReturnType<typeof openStore>>,
): Promise<{ projectId: number; publicKey: string }> {
  await createProject(store, { id: 1, name: 'Culvert', isBuiltIn: true })
  const { id, publicKey } = await createProject(store, { id: 2, name: 'Bench' })
  return { projectId: id, publicKey }
}

async function send(target: string): Promise<number> {
  const beganAt = performance.now()
  const answer = await fetch(target, { method: 'POST', body: errorEnvelope({}) })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`an event was answered with ${answer.status}`)
  return performance.now() - beganAt
}
