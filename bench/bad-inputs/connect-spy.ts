/**
 * Loaded into the server before anything else (`node --import`): writes a line to BENCH_CONNECTS for every
 * attempt to connect, to resolve a name or to send a datagram, however short-lived. It observes the main
 * thread, which does all network work.
 */
import { createHook } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'

const path = process.env['BENCH_CONNECTS'] ?? '/dev/null'
const outgoing = /^(?:TCPCONNECTWRAP|PIPECONNECTWRAP|GETADDRINFOREQWRAP|QUERYWRAP|UDPSENDWRAP)$/

createHook({
  trackPromises: false,
  init(...[, type, , resource]: [id: number, type: string, trigger: number, resource: object]) {
    // The destination is set on the resource after its creation.
    if (outgoing.test(type)) queueMicrotask(() => appendFileSync(path, `${type}${placeOf(resource)}\n`))
  },
}).enable()

function placeOf(resource: object): string {
  const address: unknown = Reflect.get(resource, 'address')
  const port: unknown = Reflect.get(resource, 'port')
  return typeof address === 'string' && typeof port === 'number' ? ` ${address}:${port}` : ''
}
