import { setImmediate as nextTick } from 'node:timers/promises'
import * as Sentry from '@sentry/node'
import { shiftTo } from '../../past.ts'
import { planVisits, type Visit } from '../../visits.ts'
import type { TrafficContext } from '../api/traffic.ts'
import { type WorkerMishap, workerMishaps } from './jobs.ts'

/** Runs every job of this deployment, oldest first. */
export async function runWorker({ deployment, now, random }: TrafficContext): Promise<void> {
  for (const visit of planVisits({ ...deployment, mishaps: workerMishaps, now, random })) {
    await Sentry.withIsolationScope(async (scope) => {
      noteJob(scope, visit)
      const job = { name: `job ${visit.mishap.job}`, op: 'queue.process', forceTransaction: true }
      await Sentry.startSpan(job, () => runJob(visit))
    })
  }
  await nextTick()
}

function noteJob(scope: Sentry.Scope, { mishap, customer, happenedAt }: Visit<WorkerMishap>): void {
  scope.setSDKProcessingMetadata(shiftTo(happenedAt))
  scope.setUser({ id: customer.id, email: customer.email })
  scope.setTags({ job: mishap.job, queue: 'default' })
  scope.setTransactionName(`job ${mishap.job}`)
  scope.setContext('job', {
    id: `job_${happenedAt % 100_000}`,
    name: mishap.job,
    attempt: 1,
    max_attempts: 5,
  })
  scope.setExtra('redis_key', `shop:jobs:${mishap.job}`)
  Sentry.addBreadcrumb({ category: 'queue', message: `took ${mishap.job}`, level: 'info' })
}

async function runJob(visit: Visit<WorkerMishap>): Promise<void> {
  try {
    await visit.mishap.run(visit)
    // Unhandled rejections and exceptions are reported in the next tick.
    await nextTick()
  } catch (thrown) {
    Sentry.captureException(thrown)
  }
}
