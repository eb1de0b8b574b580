import { setTimeout as sleep } from 'node:timers/promises'
import * as Sentry from '@sentry/node'
import { query } from '../database.ts'
import { readJson } from '../json.ts'

interface Payment {
  orderId: string
  amount: number
  card: string
}

class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly status: number

  constructor(status: number, code: string) {
    super(`POST /v1/charges answered ${status} ${code}`)
    this.status = status
  }
}

class PaymentDeclinedError extends Error {
  override readonly name = 'PaymentDeclinedError'
  readonly declineCode: string

  constructor(declineCode: string, cause: Error) {
    super(`Card declined: ${declineCode}`, { cause })
    this.declineCode = declineCode
  }
}

const declineCodes: Record<string, string> = {
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
}

/** Charges an order. */
export async function chargeCard(body: string): Promise<{ chargeId: string }> {
  const payment = readJson<Payment>(body)
  Sentry.setTag('payment.provider', 'stripe')
  Sentry.setContext('payment', {
    order: payment.orderId,
    amount: payment.amount,
    currency: 'EUR',
    attempt: 1,
  })
  Sentry.addBreadcrumb({
    category: 'payment',
    message: `charge ${payment.orderId}`,
    data: { amount: payment.amount },
  })
  try {
    return await callGateway(payment)
  } catch (cause) {
    if (!(cause instanceof GatewayError)) throw cause
    throw new PaymentDeclinedError(declineCodes[payment.card] ?? 'generic_decline', cause)
  }
}

async function callGateway(payment: Payment): Promise<{ chargeId: string }> {
  const span = { name: 'POST https://api.stripe.example/v1/charges', op: 'http.client' }
  await Sentry.startSpan(span, () => sleep(20 + Math.random() ** 4 * 150))
  if (payment.card in declineCodes) throw new GatewayError(402, 'card_declined')
  await query('UPDATE orders SET paid_at = now() WHERE id = $1', 6)
  return { chargeId: `ch_${payment.orderId}` }
}
