import type { Mishap } from '../../visits.ts'

/** A call of the shop's API. */
export interface ApiMishap extends Mishap {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

const since24 = ['api@2.4.0', 'api@2.4.1']

/** The failures of the API, most frequent first. */
export const apiMishaps: readonly ApiMishap[] = [
  {
    timesPerDay: 380,
    releases: since24,
    ...post('/cart/price', { id: 'c_81', lines: [{ sku: 'LAMP-01', quantity: 2 }] }),
  },
  {
    timesPerDay: 150,
    ...post('/checkout/payment', { orderId: 'o_5512', amount: 9800, card: '4000000000009995' }),
  },
  { timesPerDay: 70, ...post('/checkout/address', { country: 'NL', postalCode: '12345', city: 'Utrecht' }) },
  { timesPerDay: 90, hours: { fromHoursAgo: 7, toHoursAgo: 5.5 }, ...get('/products') },
  { timesPerDay: 60, hours: { fromHoursAgo: 20, toHoursAgo: 18 }, ...get('/checkout/shipping') },
  { timesPerDay: 48, ...get('/orders') },
  { timesPerDay: 40, ...get('/checkout/tax') },
  {
    timesPerDay: 34,
    ...post('/checkout/payment', { orderId: 'o_5519', amount: 1450, card: '4000000000000069' }),
  },
  { timesPerDay: 30, ...post('/cart/lines', { sku: 'CHAIR-22', quantity: 1 }) },
  { timesPerDay: 26, ...post('/checkout/discount', { code: 'SUMMER26' }) },
  { timesPerDay: 18, releases: ['api@2.3.0'], ...post('/checkout/arrival', { promisedAt: '31.11.2026' }) },
  { timesPerDay: 12, ...post('/orders', { id: 'o_5520', idempotencyKey: '7f3a' }) },
  { timesPerDay: 11, ...post('/cart/lines', { sku: 'RUG-03', quantity: 4 }) },
  { timesPerDay: 8, ...get('/search/%E0%A4%A') },
  { timesPerDay: 6, hours: { fromHoursAgo: 7, toHoursAgo: 5.5 }, ...get('/stock') },
  { timesPerDay: 5, ...post('/session', { user: 'old-sso' }) },
  { timesPerDay: 3, environment: 'staging', ...post('/webhooks/payment', { type: 'charge.settled' }) },
]

/** Calls that succeed; some are slow. */
export const apiSuccesses: readonly ApiMishap[] = [
  { timesPerDay: 500, ...get('/products/LAMP-01') },
  { timesPerDay: 220, ...get('/products/RUG-03') },
  { timesPerDay: 120, ...post('/cart/lines', { sku: 'LAMP-01', quantity: 1 }) },
  { timesPerDay: 90, ...get('/account/orders') },
  {
    timesPerDay: 420,
    ...post('/cart/price', { id: 'c_82', lines: [{ product: { unitPrice: 4900 }, quantity: 1 }] }),
  },
  { timesPerDay: 240, ...post('/checkout/address', { country: 'DE', postalCode: '10115', city: 'Berlin' }) },
  { timesPerDay: 110, ...post('/checkout/arrival', { promisedAt: '2026-12-01' }) },
  { timesPerDay: 90, ...get('/search/wool+rug') },
  {
    timesPerDay: 360,
    ...post('/checkout/payment', { orderId: 'o_5521', amount: 4900, card: '4242424242424242' }),
  },
]

function post(path: string, body: unknown): Pick<ApiMishap, 'method' | 'path' | 'body'> {
  return { method: 'POST', path, body }
}

function get(path: string): Pick<ApiMishap, 'method' | 'path'> {
  return { method: 'GET', path }
}
