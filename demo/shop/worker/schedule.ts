import * as Sentry from '@sentry/node'
import { query } from '../database.ts'
import { readFeed } from './feeds.ts'

/** The jobs that run at fixed times, with their crontabs. */
const scheduledJobs: Record<string, { crontab: string; run: () => unknown }> = {
  'nightly-backup': { crontab: '30 3 * * *', run: () => query('COPY orders TO STDOUT', 400) },
  sitemap: { crontab: '15 * * * *', run: () => query('SELECT sku, changed_at FROM products', 60) },
  'supplier-prices': {
    crontab: '*/30 * * * *',
    run: () => readFeed(new TextEncoder().encode('sku;cents\nLAMP-01;4900')),
  },
}

/** Runs each of them once. One fails. */
export async function runScheduledJobs(): Promise<void> {
  for (const [slug, { crontab, run }] of Object.entries(scheduledJobs)) {
    const schedule = { type: 'crontab', value: crontab } as const
    try {
      await Sentry.withMonitor(slug, run, { schedule, timezone: 'Europe/Berlin', maxRuntime: 10 })
    } catch {
      // The check-in reports the failure.
    }
  }
}
