import { expect, it } from 'vitest'
import { createWholeResponse, findWholeBytes } from './whole-response.ts'

const bytes = new Uint8Array(Buffer.from('<p>…</p>'))
const init = { status: 404, headers: { 'content-type': 'text/html' } }

it('a whole response has its bytes, and the same bytes as its body', async () => {
  const response = createWholeResponse(bytes, init)
  expect(findWholeBytes(response)).toBe(bytes)
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html'])
  expect(await response.text()).toBe('<p>…</p>')
})

it('another response with its body has the same content, and is not a whole one', async () => {
  const response = new Response(createWholeResponse(bytes, init).body)
  expect(findWholeBytes(response)).toBeUndefined()
  expect(await response.text()).toBe('<p>…</p>')
})

it('an unread body can be cancelled', async () => {
  const response = createWholeResponse(bytes, init)
  await response.body?.cancel()
  expect(findWholeBytes(response)).toBe(bytes)
})
