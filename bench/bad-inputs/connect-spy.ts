/**
 * Loaded into the server before anything else (`node --import`): writes a line to BENCH_CONNECTS for every
 * attempt to connect, to look up a name or to send a datagram, however short-lived. It sees the main thread,
 * which does all that has to do with the network.
 */
import { createHook } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'

const path = process.env['BENCH_CONNECTS'] ?? '/dev/null'
const outgoing = /^(?:TCPCONNECTWRAP|PIPECONNECTWRAP|GETADDRINFOREQWRAP|QUERYWRAP|UDPSENDWRAP)$/

createHook({
  trackPromises: false,
  init(...[, type, , resource]: [id: number, type: string, trigger: number, resource: object]) {
    // Where to is written into it after it was made.
    if (outgoing.test(type)) queueMicrotask(() => appendFileSync(path, `${type}${placeOf(resource)}\n`))
  },
}).enable()

function placeOf(resource: object): string {
  const address: unknown = Reflect.get(resource, 'address')
  const port: unknown = Reflect.get(resource, 'port')
  return typeof address === 'string' && typeof port === 'number' ? ` ${address}:${port}` : ''
}
