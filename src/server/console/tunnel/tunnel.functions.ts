import { createServerFn } from '@tanstack/react-start'
import { signedIn } from '#server/auth/session-middleware.functions.ts'
import { getTunnelView } from './tunnel.ts'

/** The queues of upstreams, and rejected envelopes. */
export const fetchTunnel = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getTunnelView(context.services, context.viewer))
