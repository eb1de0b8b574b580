import type { Readiness } from '#server/readiness.ts'

/** Where a load balancer asks whether to send requests here. */
export const readinessPath = '/readyz'

/** The answer to a readiness check: 200, or 503 with every problem. */
export interface ReadinessAnswer {
  status: 200 | 503
  body: { status: 'ready' | 'not ready'; problems?: string[] }
}

/** Asks whether this process should be sent requests, and says it as HTTP does. */
export async function readReadinessAnswer(readiness: Readiness): Promise<ReadinessAnswer> {
  const problems = await readiness.findProblems()
  return problems.length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not ready', problems } }
}
