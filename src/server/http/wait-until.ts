/** Keeps an instance running until a promise has settled. */
export type WaitUntil = (promise: Promise<unknown>) => void

/** Of Vercel's request context, as its package `@vercel/functions` finds it. */
const contextKey = Symbol.for('@vercel/request-context')

/**
 * What a serverless host gives a request to keep its instance running after the answer: a property of the
 * request, or Vercel's request context. Undefined where the process just runs on. Call it before the first
 * `await`: the context is that of the request which is being handled.
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
