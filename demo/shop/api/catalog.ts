/** The products of the shop. Prices in cents. */
export interface Product {
  sku: string
  name: string
  unitPrice: number
  stock: number
}

const products = new Map<string, Product>(
  [
    { sku: 'LAMP-01', name: 'Desk lamp', unitPrice: 4900, stock: 12 },
    { sku: 'MUG-07', name: 'Mug, speckled', unitPrice: 1450, stock: 240 },
    { sku: 'CHAIR-22', name: 'Reading chair', unitPrice: 34_900, stock: 0 },
    { sku: 'RUG-03', name: 'Wool rug', unitPrice: 21_000, stock: 3 },
  ].map((product) => [product.sku, product]),
)

export class OutOfStockError extends Error {
  override readonly name = 'OutOfStockError'
  readonly sku: string

  constructor(product: Product, wanted: number) {
    super(`${product.name}: ${wanted} wanted, ${product.stock} left`)
    this.sku = product.sku
  }
}

export function findProduct(sku: string): Product | undefined {
  return products.get(sku)
}

export function reserveStock(sku: string, wanted: number): Product {
  const product = products.get(sku)
  if (product === undefined) throw new Error(`No product ${sku}`)
  if (product.stock < wanted) throw new OutOfStockError(product, wanted)
  return product
}
