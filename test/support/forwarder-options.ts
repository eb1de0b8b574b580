import { lookup } from 'node:dns'

/** Options of a forwarder in tests: it may send to this machine, and its pauses have no random part. */
export const forwarderOptions = {
  allowsPrivate: true,
  startedAlone: false,
  random: () => 0.5,
  resolveName: lookup,
}
