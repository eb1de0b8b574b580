import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { getTunnelView } from './tunnel.ts'

/** The queues of upstreams, and rejected envelopes. */
export const fetchTunnel = signedInFn().handler(({ context }) =>
  getTunnelView(context.services, context.viewer),
)
