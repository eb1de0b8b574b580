import { afterEach, describe, expect, it } from 'vitest'
import { findWaitUntil } from './wait-until.ts'

const contextKey = Symbol.for('@vercel/request-context')
afterEach(() => void Reflect.deleteProperty(globalThis, contextKey))

const own = () => undefined
const other = () => undefined
const toRequest = (waitUntil?: unknown) =>
  Object.assign(new Request('http://culvert.example/'), waitUntil !== undefined && { waitUntil })

describe('findWaitUntil', () => {
  it('is undefined where the process keeps running', () => {
    expect(findWaitUntil(toRequest())).toBeUndefined()
    expect(findWaitUntil(toRequest('no function'))).toBeUndefined()
  })

  it("finds the request's own before that of the request context", () => {
    Reflect.set(globalThis, contextKey, { get: () => ({ waitUntil: other }) })
    expect(findWaitUntil(toRequest(own))).toBe(own)
    expect(findWaitUntil(toRequest())).toBe(other)
  })

  it.each([null, 'text', {}, { get: 'text' }, { get: () => undefined }, { get: () => ({ waitUntil: 1 }) }])(
    'ignores the context %j',
    (context) => {
      Reflect.set(globalThis, contextKey, context)
      expect(findWaitUntil(toRequest())).toBeUndefined()
    },
  )
})
