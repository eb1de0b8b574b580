import { setTimeout as sleep } from 'node:timers/promises'
import * as Sentry from '@sentry/node'

/**
 * Simulates a query of the shop's database, which usually takes `usualMs` and sometimes much longer. The span
 * is the one that the SDK creates for a driver.
 */
export function query(sql: string, usualMs: number): Promise<void> {
  const span = { name: sql, op: 'db', attributes: { 'db.system.name': 'postgresql', 'db.query.text': sql } }
  return Sentry.startSpan(span, () => sleep(usualMs * (0.7 + Math.random() ** 8 * 9)))
}
