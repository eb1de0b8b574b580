/**
 * Loaded into the server before anything else (`node --import`): writes a line to BENCH_CONNECTS for
 * every attempt to connect, to look up a name or to send a datagram, however short-lived. It sees the main thread, which does all that has to do with the network.
 */
import { createHook } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'

const path = process.env['BENCH_CONNECTS'] ?? '/dev/null'
const outgoing = /^(?:TCPCONNECTWRAP|PIPECONNECTWRAP|GETADDRINFOREQWRAP|QUERYWRAP|UDPSENDWRAP)$/

createHook({
  trackPromises: false,
  init(_id, type) {
    if (outgoing.test(type)) appendFileSync(path, `${type}\n`)
  },
}).enable()
