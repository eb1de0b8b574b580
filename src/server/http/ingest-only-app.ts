import type { Env } from '#server/env.ts'
import { answerJson, answerPlainly } from './answer/plain-answer.ts'
import { normalizeTarget } from './request-target.ts'
import type { NodeHandler } from './server.ts'

/** The app of a front without the console: a health check, and a JSON 404 for everything else. */
export function createIngestOnlyApp({ environment }: Pick<Env, 'environment'>): NodeHandler {
  return (request, response) => {
    const isHealthCheck = normalizeTarget(request.url ?? '')?.path === '/healthz'
    if (isHealthCheck && (request.method === 'GET' || request.method === 'HEAD'))
      answerJson(response, 200, { status: 'ok', environment })
    else answerPlainly(response, 404, 'not found')
  }
}
