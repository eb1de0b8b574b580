import { readFile } from 'node:fs/promises'
import { readJson } from '../json.ts'

interface OrderMessage {
  id: string
  lines: { sku: string; cents: number }[]
}

/** Sum of an order in the queue; old clients still queue a single line instead of a list. */
export function sumOrder(message: string): number {
  const order = readJson<OrderMessage>(message)
  let total = 0
  for (const line of order.lines) total += line.cents
  return total
}

/** Starts printing an invoice; the job ends before the printer has finished. */
export function printInvoice(id: string): void {
  void readTemplate(id)
}

async function readTemplate(id: string): Promise<string> {
  return readFile(`/srv/shop/invoices/${id}.svg`, 'utf8')
}

declare const taxTable: Record<string, number>

/** Tax of a country in per cent. The table was moved to another package, and the import was not updated. */
export function taxOf(country: string): number {
  return taxTable[country] ?? 0
}
