import * as Sentry from '@sentry/node'
import { query } from '../database.ts'
import { readJson } from '../json.ts'

interface Order {
  id: string
  idempotencyKey: string
}

/** Stores an order without waiting: the customer sees "thank you" at once. */
export function saveOrder(body: string): { accepted: true } {
  const order = readJson<Order>(body)
  void writeOrder(order)
  return { accepted: true }
}

async function writeOrder(order: Order): Promise<void> {
  await Promise.resolve()
  throw new Error(`Cannot save order: idempotency key ${order.idempotencyKey} was used before`)
}

/** Lists all orders of a customer. */
export function listOrders(): { orders: Order[] } {
  const tookMs = 2840
  console.info(`select orders by customer: ${tookMs} ms`)
  Sentry.captureMessage('Slow query: orders by customer', { level: 'info', extra: { tookMs, budgetMs: 500 } })
  return { orders: [] }
}

/** The orders of the customer, each with its lines: a query for every order. */
export async function listOwnOrders(): Promise<{ orders: Order[] }> {
  await query('SELECT id, idempotency_key FROM orders WHERE customer_id = $1', 8)
  const count = 8 + Math.floor(Math.random() * 8)
  for (let order = 0; order < count; order += 1) {
    await query('SELECT sku, quantity, cents FROM order_lines WHERE order_id = $1', 9)
  }
  return { orders: [] }
}

/** Applies a discount code. */
export function applyDiscount(body: string): { percent: number } {
  const { code } = readJson<{ code: string }>(body)
  Sentry.captureMessage(`Discount code ${code} is advertised but expired`, {
    level: 'warning',
    tags: { code },
  })
  return { percent: 0 }
}

/** The webhook of the payment provider for settled charges. */
export function receiveWebhook(secret: string | undefined): never {
  const error = new Error(
    secret === undefined ? 'PAYMENT_WEBHOOK_SECRET is not set' : 'Signature does not match',
  )
  Sentry.captureException(error, { level: 'fatal' })
  throw error
}

/** Signs a customer in through the old single sign-on, which rejects with plain objects. */
export function signIn(): { signedIn: false } {
  Sentry.captureException({ code: 'SSO_EXPIRED', message: 'assertion expired', retryable: true })
  return { signedIn: false }
}
