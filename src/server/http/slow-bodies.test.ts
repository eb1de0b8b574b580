import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { hourMs } from '#time/time-steps.ts'
import { createSlowBodyCheck } from './slow-bodies.ts'

/** A request whose body is arriving. */
function receive(contentLength: string) {
  const socket = new Socket()
  const request = new IncomingMessage(socket)
  request.headers['content-length'] = contentLength
  new ServerResponse(request).assignSocket(socket)
  return { socket, request }
}

it('slow bodies may only continue within their share of the memory', () => {
  const mayContinue = createSlowBodyCheck({ windowMs: hourMs, timeoutMs: hourMs, maxBytes: 100 })
  const timeout = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const [first, second, third] = [receive('60'), receive('60'), receive('40')]
  expect(mayContinue(new Error('invalid HTTP'), first.socket)).toBe(false)
  expect(mayContinue(timeout, new Socket())).toBe(false)
  const results = [first, second, third].map(({ socket }) => mayContinue(timeout, socket))
  expect(results).toEqual([true, false, true])
  first.request.emit('close')
  expect(mayContinue(timeout, second.socket)).toBe(true)
  for (const { request } of [second, third]) request.emit('close')
})
