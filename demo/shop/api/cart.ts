import * as Sentry from '@sentry/node'
import { query } from '../database.ts'
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

/** Adds a product to a cart, if it is in stock. */
export async function addToCart(body: string): Promise<CartLine> {
  const { sku, quantity } = readJson<{ sku: string; quantity: number }>(body)
  await query('SELECT stock FROM products WHERE sku = $1 FOR UPDATE', 5)
  const line = { product: reserveStock(sku, quantity), quantity }
  await query('INSERT INTO cart_lines (cart_id, sku, quantity) VALUES ($1, $2, $3)', 7)
  return line
}

/** The product of a `/products/…` path, with reviews. */
export async function showProduct(path: string): Promise<Product | null> {
  await query('SELECT sku, name, unit_price, stock FROM products WHERE sku = $1', 4)
  await query('SELECT stars, text FROM reviews WHERE sku = $1 ORDER BY written_at DESC LIMIT 20', 14)
  return findProduct(path.replace('/products/', '')) ?? null
}

/** The search words of a `/search/…` path. */
export function readSearchWords(path: string): string[] {
  const words = decodeURIComponent(path.replace('/search/', ''))
  return words.split('+').filter((word) => findProduct(word) === undefined)
}
