import type { Services } from '#server/services.ts'
import { isBearer } from './bearer.ts'

/**
 * Answers Prometheus. Without `CULVERT_METRICS_TOKEN` the answer is 404: a server's counters reveal much
 * about its users.
 */
export function answerMetrics(
  { env, metrics }: Pick<Services, 'env' | 'metrics'>,
  request: Request,
): Response {
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' }
  if (env.metricsToken === undefined)
    return new Response('not found: set CULVERT_METRICS_TOKEN to have metrics here\n', {
      status: 404,
      headers,
    })
  if (!isBearer(request.headers, env.metricsToken)) {
    const challenge = { ...headers, 'www-authenticate': 'Bearer realm="metrics"' }
    return new Response('the token is missing or wrong\n', { status: 401, headers: challenge })
  }
  return new Response(metrics.registry.render(), {
    headers: { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  })
}
