import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Deployment } from './deployments.ts'

/**
 * How long one deployment may take. A quiet machine needs one to three seconds, one that builds something
 * else half a minute.
 */
const deploymentTimeoutMs = 5 * 60_000

/**
 * Plays deployments one after another, each in a process of its own. Answers with the number of events sent.
 */
export async function runServices(dsn: string, deployments: readonly Deployment[]): Promise<number> {
  let sent = 0
  for (const deployment of deployments) sent += await runService(dsn, deployment)
  return sent
}

async function runService(dsn: string, deployment: Deployment): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: deploymentTimeoutMs,
    env: {
      PATH: process.env['PATH'],
      SENTRY_DSN: dsn,
      SENTRY_RELEASE: deployment.release,
      SENTRY_ENVIRONMENT: deployment.environment,
      DEMO_DEPLOYMENT: JSON.stringify(deployment),
    },
  })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (child.exitCode !== 0)
    throw new Error(`${deployment.release} (${deployment.environment}) did not end well.`)
  return Number(printed)
}
