import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { setUpstream, upstreamForm, type fetchTunnel } from '#server/console/tunnel/tunnel.functions.ts'
import { takeBackBy, type Mutation } from './changes/mutation.ts'

type TunnelView = Awaited<ReturnType<typeof fetchTunnel>>
type UpstreamView = TunnelView['upstreams'][number]
type UpstreamInput = v.InferOutput<typeof upstreamForm>
type UpstreamResult = Awaited<ReturnType<typeof setUpstream>>

/** Changes an upstream, or what it refused. */
export const upstreamMutation: Mutation<UpstreamInput, UpstreamResult> = {
  url: setUpstream.url,
  parseForm: (form) => v.parse(upstreamForm, Object.fromEntries(form)),
  send: setUpstream,
  changes: () => [{ queryKey: ['tunnel'] }, { queryKey: ['outcomes'] }],
  foresee,
  notDone: 'Nothing was changed.',
  conclude: ({ change }, { count }) => {
    const [verb = '', ...reference] = change.split(':')
    const opposite = opposites[verb]
    const undo =
      opposite === undefined
        ? undefined
        : takeBackBy(upstreamMutation, { change: [opposite, ...reference].join(':') })
    return { text: doneTexts[verb]?.(count) ?? 'Done.', ...(undo && { undo }) }
  },
}

const opposites: Partial<Record<string, string>> = { pause: 'resume', resume: 'pause' }

const envelopes = (count: number) => (count === 1 ? 'The envelope' : `${count} envelopes`)

const doneTexts: Partial<Record<string, (count: number) => string>> = {
  pause: () => 'Paused. Events are queued.',
  resume: () => 'Resumed.',
  try: () => 'Trying now.',
  retry: (count) => `${envelopes(count)} will be sent again.`,
  delete: (count) => `${envelopes(count)} deleted.`,
}

function foresee(queryClient: QueryClient, { change }: UpstreamInput): void {
  const [verb, ...parts] = change.split(':')
  const reference = parts.join(':')
  queryClient.setQueryData<TunnelView>(['tunnel'], (view) => {
    if (view === undefined || verb === 'try') return view
    if (verb === 'retry' || verb === 'delete') return without(view, reference)
    return { ...view, upstreams: view.upstreams.map((each) => paused(each, reference, verb === 'pause')) }
  })
}

/** Without one refused envelope, or all those of an upstream. */
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
