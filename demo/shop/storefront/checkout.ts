import * as Sentry from '@sentry/browser'

class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
}

/** Sends the order; sometimes the API's proxy answers instead of the API. */
export async function submitOrder(): Promise<void> {
  const response = await fetch('/api/orders', { method: 'POST', body: JSON.stringify({ cart: 'c_81' }) })
  if (!response.ok) throw new CheckoutError(`Checkout answered ${response.status}`)
}

/** Loads recommendations from a service that is sometimes unavailable. */
export async function loadRecommendations(): Promise<void> {
  const response = await fetch('http://recommendations.shop.example/for/LAMP-01')
  console.log(`${response.status} recommendations`)
}

/** Restores the cart of the last visit. */
export function restoreCart(): unknown {
  localStorage.setItem('cart', 'undefined')
  return JSON.parse(localStorage.getItem('cart') ?? '[]')
}

/** Stores the products that the customer has viewed. */
export function rememberHistory(): void {
  localStorage.setItem('history', 'LAMP-01;'.repeat(1_000_000))
}

/** Chooses the variant of an experiment. */
export function chooseVariant(variants: readonly string[]): string {
  const [variant] = variants
  if (variant === undefined) throw new Error("Feature flag 'new-checkout' has no variant")
  return variant
}

/** Reports how long the product list took. */
export function reportSlowPage(): void {
  Sentry.captureMessage('Slow page: product list', {
    level: 'warning',
    extra: { tookMs: 4200, products: 96 },
  })
}

/** Prints the message of a third-party widget with a wrong key. */
export function startReviews(): void {
  console.error('Reviews widget: key rejected', { shop: 'shop.example' })
}
