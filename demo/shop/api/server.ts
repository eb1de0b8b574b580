import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import * as Sentry from '@sentry/node'
import { shiftTo } from '../../past.ts'
import { validateAddress } from './address.ts'
import { addToCart, priceCart, readSearchWords, showProduct } from './cart.ts'
import { OutOfStockError } from './catalog.ts'
import { applyDiscount, listOrders, listOwnOrders, receiveWebhook, saveOrder, signIn } from './orders.ts'
import type { Partners } from './partners.ts'
import { chargeCard } from './payment.ts'
import { countRequest, fetchNearestStock, fetchShippingRates, fetchTax, formatArrival } from './shipping.ts'

interface Call {
  path: string
  body: string
  partners: Partners
}

/** The part of these paths after the page's name is a parameter. */
const wildcards: Record<string, string> = { products: ':sku', search: ':words' }

const endpoints: Record<string, (call: Call) => unknown> = {
  'POST /cart/price': ({ body }) => priceCart(body),
  'POST /cart/lines': ({ body }) => addToCart(body),
  'POST /checkout/address': ({ body }) => validateAddress(body),
  'POST /checkout/payment': ({ body }) => chargeCard(body),
  'GET /checkout/shipping': ({ partners }) => fetchShippingRates(partners),
  'GET /checkout/tax': ({ partners }) => fetchTax(partners),
  'POST /checkout/arrival': ({ body }) => formatArrival(body),
  'POST /checkout/discount': ({ body }) => applyDiscount(body),
  'POST /orders': ({ body }) => saveOrder(body),
  'GET /orders': () => listOrders(),
  'GET /account/orders': () => listOwnOrders(),
  'POST /session': () => signIn(),
  'GET /stock': ({ partners }) => fetchNearestStock(partners),
  'GET /products': ({ partners }) => countRequest(partners),
  'POST /webhooks/payment': () => receiveWebhook(process.env['PAYMENT_WEBHOOK_SECRET']),
}

/** The shop's API. The visit's customer and time are in the headers that a proxy would set. */
export function createShopApi(partners: Partners): Server {
  return createServer((request, response) => {
    void answer(request, response, partners)
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, partners: Partners): Promise<void> {
  try {
    const path = request.url ?? '/'
    noteVisit(request)
    const call = { path, body: await readText(request), partners }
    response.end(JSON.stringify((await dispatch(`${request.method} ${path}`, call)) ?? null))
  } catch (thrown) {
    reportFailure(thrown)
    response.statusCode = 500
    response.end()
  }
}

/** Uses `data` listeners, which the SDK instruments to read the body. */
function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => resolve(text))
    request.on('error', reject)
  })
}

function dispatch(name: string, call: Call): unknown {
  if (name.startsWith('GET /search/')) return readSearchWords(call.path)
  if (name.startsWith('GET /products/')) return showProduct(call.path)
  const endpoint = endpoints[name]
  if (endpoint === undefined) throw new Error(`No endpoint ${name}`)
  return endpoint(call)
}

function noteVisit(request: IncomingMessage): void {
  const [id = '', email = '', tier = ''] = String(request.headers['x-customer']).split(' ')
  const scope = Sentry.getIsolationScope()
  scope.setSDKProcessingMetadata(shiftTo(Number(request.headers['x-request-start'])))
  scope.setUser({ id, email })
  scope.setTags({ 'customer.tier': tier, region: Number(id) % 3 === 0 ? 'us-east' : 'eu-central' })
  Sentry.addBreadcrumb({
    category: 'query',
    message: 'select * from sessions where id = $1',
    data: { rows: 1 },
  })
  if (tier === 'gold') console.info(`gold customer ${id}: skip the waiting room`)
  nameTransaction(scope, routeOf(request))
}

/** Frameworks do this for their routes. */
function nameTransaction(scope: Sentry.Scope, name: string): void {
  scope.setTransactionName(name)
  const span = Sentry.getActiveSpan()
  if (span !== undefined) Sentry.updateSpanName(Sentry.getRootSpan(span), name)
}

function routeOf({ method, url = '/' }: IncomingMessage): string {
  const [, first = '', second] = url.split('/')
  if (second === undefined) return `${method} /${first}`
  return `${method} /${first}/${wildcards[first] ?? second}`
}

/** Every product that runs out is a separate issue: it has to be ordered. */
function reportFailure(thrown: unknown): void {
  if (thrown instanceof OutOfStockError)
    Sentry.getIsolationScope().setFingerprint(['out-of-stock', thrown.sku])
  Sentry.captureException(thrown)
}
