import type { Readiness } from '#server/readiness.ts'

/** The path that load balancers probe. */
export const readinessPath = '/readyz'

/** The answer to a readiness check: 200, or 503 with every problem. */
export interface ReadinessAnswer {
  status: 200 | 503
  body: { status: 'ready' | 'not ready'; problems?: string[] }
}

/** Returns the readiness of this process as an HTTP response. */
export async function readReadinessAnswer(readiness: Readiness): Promise<ReadinessAnswer> {
  const problems = await readiness.findProblems()
  return problems.length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not ready', problems } }
}
