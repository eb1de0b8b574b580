import * as Sentry from '@sentry/node'
import { readJson } from '../json.ts'
import { findProduct, type Product, reserveStock } from './catalog.ts'

interface CartLine {
  product: Product
  quantity: number
}

interface SavedCart {
  id: string
  lines: CartLine[]
}

/** Sum of a saved cart, in cents. */
export function priceCart(body: string): number {
  const cart = readJson<SavedCart>(body)
  Sentry.setContext('cart', { id: cart.id, lines: cart.lines.length })
  Sentry.addBreadcrumb({ category: 'cart', message: `price ${cart.id}`, data: { lines: cart.lines.length } })
  return cart.lines.reduce((total, line) => total + priceLine(line), 0)
}

function priceLine(line: CartLine): number {
  const discount = line.quantity >= 10 ? 0.9 : 1
  return Math.round(line.product.unitPrice * line.quantity * discount)
}

/** Puts a product into a cart, if enough is left of it. */
export function addToCart(body: string): CartLine {
  const { sku, quantity } = readJson<{ sku: string; quantity: number }>(body)
  return { product: reserveStock(sku, quantity), quantity }
}

/** The search words of a `/search/…` path. */
export function readSearchWords(path: string): string[] {
  const words = decodeURIComponent(path.replace('/search/', ''))
  return words.split('+').filter((word) => findProduct(word) === undefined)
}
