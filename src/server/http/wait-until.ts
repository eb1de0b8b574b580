/** Keeps an instance running until a promise has settled. */
export type WaitUntil = (promise: Promise<unknown>) => void

/** Vercel's request context, as its package `@vercel/functions` finds it. */
const contextKey = Symbol.for('@vercel/request-context')

/**
 * Finds the function by which a serverless host keeps an instance running after the answer: a property of the
 * request, or Vercel's request context. Undefined on other hosts. Call it before the first `await`, because
 * the context is that of the current request.
 */
export function findWaitUntil(request: Request): WaitUntil | undefined {
  const given: unknown = Reflect.get(request, 'waitUntil')
  if (isWaitUntil(given)) return given
  const holder: unknown = Reflect.get(globalThis, contextKey)
  if (!hasGet(holder)) return undefined
  const context = holder.get()
  const waitUntil: unknown =
    typeof context === 'object' && context !== null ? Reflect.get(context, 'waitUntil') : undefined
  return isWaitUntil(waitUntil) ? waitUntil : undefined
}

function isWaitUntil(value: unknown): value is WaitUntil {
  return typeof value === 'function'
}

function hasGet(value: unknown): value is { get: () => unknown } {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'get') === 'function'
}
