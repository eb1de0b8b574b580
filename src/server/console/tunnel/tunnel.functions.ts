import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { signedIn } from '#server/auth/access.functions.ts'
import { postedForm } from '#server/console/forms/posted-form.ts'
import { changeUpstream, getTunnelView } from './tunnel.ts'

/** What is sent on, and what could not be. */
export const fetchTunnel = createServerFn({ method: 'GET' })
  .middleware([signedIn])
  .handler(({ context }) => getTunnelView(context.services, context.viewer))

/** What the forms of the tunnel's page post: `VERB:PROJECT:ID[:NUMBER]`. */
export const upstreamForm = v.object({ change: v.pipe(v.string(), v.maxLength(80)) })

/** Pauses, resumes or tries an upstream, and retries or deletes what it refused. */
export const setUpstream = createServerFn({ method: 'POST' })
  .middleware([signedIn])
  .validator(postedForm(upstreamForm))
  .handler(({ data, context }) => changeUpstream(context.services, context.viewer, data.change))
