import type { QueryClient } from '@tanstack/react-query'
import { actions } from '#server/console/forms/actions.search.ts'
import type { fetchTunnel } from '#server/console/tunnel/tunnel.functions.ts'
import type { Action } from './changes/action.ts'
import { fieldOf } from './changes/read-fields.ts'

type TunnelView = Awaited<ReturnType<typeof fetchTunnel>>
type UpstreamView = TunnelView['upstreams'][number]

/** Changes an upstream, or its undelivered envelopes. */
export const upstreamAction: Action = {
  ...actions.upstream,
  changes: () => [{ queryKey: ['tunnel'] }, { queryKey: ['outcomes'] }],
  update,
  undoneBy: () => upstreamAction,
}

function update(queryClient: QueryClient, form: FormData): void {
  const [verb, ...parts] = fieldOf(form, 'change').split(':')
  const reference = parts.join(':')
  queryClient.setQueryData<TunnelView>(['tunnel'], (view) => {
    if (view === undefined || verb === 'try') return view
    if (verb === 'retry' || verb === 'delete') return without(view, reference)
    return { ...view, upstreams: view.upstreams.map((each) => paused(each, reference, verb === 'pause')) }
  })
}

/** Without one undelivered envelope, or all those of an upstream. */
function without(view: TunnelView, reference: string): TunnelView {
  return {
    ...view,
    undelivered: view.undelivered.filter(
      (letter) => letter.reference !== reference && !letter.reference.startsWith(`${reference}:`),
    ),
  }
}

function paused(upstream: UpstreamView, reference: string, isPaused: boolean): UpstreamView {
  return upstream.reference === reference ? { ...upstream, isPaused } : upstream
}
