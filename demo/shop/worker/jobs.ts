import type { Mishap, Visit } from '../../visits.ts'
import { query } from '../database.ts'
import { checkBacklog, readFeed, scheduleThumbnail } from './feeds.ts'
import { printInvoice, sumOrder, taxOf } from './invoices.ts'
import { sendShippingMail } from './mail.ts'

/** A job of the worker. Most fail. */
export interface WorkerMishap extends Mishap {
  job: string
  run: (visit: Visit<WorkerMishap>) => unknown
}

/** The failures of the worker, most frequent first, and then the jobs that succeed. */
export const workerMishaps: readonly WorkerMishap[] = [
  { timesPerDay: 96, job: 'shipping-mail', run: ({ customer }) => sendShippingMail(customer.email) },
  {
    timesPerDay: 44,
    job: 'order-sum',
    run: () => sumOrder('{"id":"o_77","lines":{"sku":"MUG-07","cents":1450}}'),
  },
  { timesPerDay: 20, job: 'thumbnails', run: () => checkBacklog('thumbnails', 1240) },
  { timesPerDay: 14, job: 'invoice', run: ({ customer }) => printInvoice(`2026-${customer.id}`) },
  {
    timesPerDay: 9,
    job: 'supplier-feed',
    run: () => readFeed(new TextEncoder().encode('sku;cents\nMUG-07;1450')),
  },
  { timesPerDay: 3, job: 'thumbnail', run: () => scheduleThumbnail(-1) },
  { timesPerDay: 3, releases: ['worker@1.10.0'], job: 'tax', run: () => taxOf('DE') },
  {
    timesPerDay: 60,
    job: 'stock-count',
    run: () => query('UPDATE products SET stock = $1 WHERE sku = $2', 6),
  },
  { timesPerDay: 40, job: 'search-index', run: indexProducts },
]

async function indexProducts(): Promise<void> {
  await query('SELECT sku, name FROM products WHERE changed_at > $1', 9)
  await query('INSERT INTO search_words (sku, word) VALUES ($1, $2)', 4)
}
