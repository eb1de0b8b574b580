import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Deployment } from './deployments.ts'

/**
 * Time limit for one deployment. It takes one to three seconds on an idle machine, and half a minute on one
 * that builds at the same time.
 */
const deploymentTimeoutMs = 5 * 60_000

/** Runs deployments one after another, each in its own process. Returns the number of sent events. */
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
