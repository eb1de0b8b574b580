import { request } from 'node:http'
import * as Sentry from '@sentry/node'
import type { Deployment } from '../../deployments.ts'
import type { Random } from '../../random.ts'
import { planVisits, type Visit } from '../../visits.ts'
import { type ApiMishap, apiMishaps, apiSuccesses } from './mishaps.ts'
import { listen, startPartners } from './partners.ts'
import { createShopApi } from './server.ts'

/** The deployment to run, and its clock and source of randomness. */
export interface TrafficContext {
  deployment: Deployment
  /** Unix milliseconds. */
  now: number
  random: Random
}

/** Requests that customers make at the same time. */
const callsAtOnce = 8

/** Starts the shop's API and calls it over HTTP with every visit of this deployment, oldest first. */
export async function runApi({ deployment, now, random }: TrafficContext): Promise<void> {
  const partners = await startPartners()
  const api = createShopApi(partners)
  const port = await listen(api)
  const mishaps = [...apiMishaps, ...apiSuccesses]
  const visits = planVisits({ ...deployment, mishaps, now, random }).values()
  await Promise.all(
    Array.from({ length: callsAtOnce }, async () => {
      // The requests come from customers: they must not add spans or breadcrumbs to the shop's.
      for (const visit of visits) await Sentry.suppressTracing(() => call(port, visit))
    }),
  )
  api.close()
  partners.close()
}

function call(port: number, { mishap, customer, happenedAt }: Visit<ApiMishap>): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'api.shop.example',
      'user-agent': 'shop-storefront/1.6 (undici)',
      'x-customer': `${customer.id} ${customer.email} ${customer.tier}`,
      'x-request-start': String(happenedAt),
      ...(mishap.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const outgoing = request({ port, host: '127.0.0.1', method: mishap.method, path: mishap.path, headers })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      response.resume()
      response.on('end', resolve)
    })
    outgoing.end(mishap.body === undefined ? undefined : JSON.stringify(mishap.body))
  })
}
