import { connect } from 'node:net'
import * as Sentry from '@sentry/node'
import { readJson } from '../json.ts'
import type { Partners } from './partners.ts'

interface Rates {
  carrier: string
  cents: number
}

/** The carrier's price for a parcel. Its maintenance page is HTML, with status 200. */
export async function fetchShippingRates(partners: Partners): Promise<Rates> {
  const response = await fetch(`${partners.origin}/carrier/rates?weight=1200`)
  return readJson<Rates>(await response.text())
}

/** The tax on an order; the office is known to be slow. */
export async function fetchTax(partners: Partners): Promise<number> {
  const response = await fetch(`${partners.origin}/tax/quote`, { signal: AbortSignal.timeout(25) })
  return Number(await response.text())
}

/** The stock of the nearest of several warehouses. */
export async function fetchNearestStock(partners: Partners): Promise<string> {
  const warehouses = ['berlin', 'lyon']
  return Promise.any(warehouses.map((name) => readWarehouse(name, partners.closedPort)))
}

async function readWarehouse(name: string, port: number): Promise<string> {
  Sentry.addBreadcrumb({ category: 'warehouse', message: `ask ${name}`, level: 'info' })
  await connectTo(port)
  return name
}

/** Counts a request against the visitor's budget, in the cache. */
export async function countRequest(partners: Partners): Promise<void> {
  await connectTo(partners.closedPort)
}

function connectTo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}

/** The day a parcel arrives, as `2026-11-21`. */
export function formatArrival(body: string): string {
  const { promisedAt } = readJson<{ promisedAt: string }>(body)
  return new Date(promisedAt).toISOString().slice(0, 10)
}
