import type { Metrics, Sample } from '#server/metrics/registry.ts'
import type { Store } from '#server/store/store.ts'
import { readUpstreamFigures, type UpstreamFigures } from '#server/store/upstreams/figures.ts'
import { remainingMs } from '#server/store/upstreams/upstreams.ts'

/** Registers the metrics of forwarding, by project and upstream (`o4507.ingest.us.sentry.io/42`). */
export function measureForwarding(metrics: Metrics, store: Store): void {
  const labels = ['project', 'upstream']
  const secondsUntil = ({ state }: UpstreamFigures, at: number) =>
    toSeconds(remainingMs(state, at, store.clock()))
  const gauge = (name: string, help: string, value: (figures: UpstreamFigures) => number) =>
    metrics.gauge({ name: `culvert_upstream_${name}`, help, labels }, () =>
      readUpstreamFigures(store).map((figures): Sample => ({
        labels: labelsOf(figures),
        value: value(figures),
      })),
    )
  gauge('delivered_envelopes', 'Envelopes accepted by the upstream.', (of) => of.deliveredCount)
  gauge('waiting_envelopes', 'Envelopes that wait for the upstream.', (of) => of.waitingCount)
  gauge('waiting_bytes', 'Bytes of them.', (of) => of.waitingBytes)
  gauge('oldest_waiting_seconds', 'Age of the oldest queued envelope; 0 when none is queued.', (of) =>
    of.oldestWaitingAt === undefined ? 0 : Math.max(0, toSeconds(store.clock() - of.oldestWaitingAt)),
  )
  gauge(
    'rejected_envelopes',
    'Envelopes that the upstream rejected permanently and that wait for a retry or deletion.',
    (of) => of.failedCount,
  )
  gauge('dropped_envelopes', 'Envelopes that were discarded.', (of) => of.droppedCount)
  gauge('failures', 'Consecutive failures; 0 while the upstream accepts envelopes.', (of) => of.failureCount)
  gauge(
    'last_delivery_timestamp_seconds',
    'Time of the last accepted envelope; 0 when there is none.',
    (of) => toSeconds(of.state.deliveredAt ?? 0),
  )
  gauge('next_try_seconds', 'Seconds until the next retry after failures; 0 if none is pending.', (of) =>
    secondsUntil(of, of.state.retryAt ?? 0),
  )
  const answer = { name: 'culvert_upstream_last_answer_timestamp_seconds', labels: [...labels, 'answer'] }
  metrics.gauge({ ...answer, help: 'Time of the last answer or failure, labeled with it.' }, () =>
    readUpstreamFigures(store).flatMap((figures): Sample[] => {
      const { answer: lastAnswer, answeredAt } = figures.state
      if (lastAnswer === undefined || answeredAt === undefined) return []
      return [{ labels: [...labelsOf(figures), lastAnswer], value: toSeconds(answeredAt) }]
    }),
  )
  const limit = { name: 'culvert_upstream_limit_seconds', labels: [...labels, 'category'] }
  metrics.gauge({ ...limit, help: 'Time at which the rate limit of the upstream ends.' }, () =>
    readUpstreamFigures(store).flatMap((figures) =>
      (figures.state.held ?? []).flatMap(({ category, until }): Sample[] => {
        const value = secondsUntil(figures, until)
        return value === 0 ? [] : [{ labels: [...labelsOf(figures), category], value }]
      }),
    ),
  )
  gauge('paused', '1 while the upstream is paused.', (of) => Number(of.isPaused))
}

function toSeconds(ms: number): number {
  return ms / 1000
}

function labelsOf({ slug, dsn }: UpstreamFigures): string[] {
  return [slug, `${dsn.host}/${dsn.projectId}`]
}
