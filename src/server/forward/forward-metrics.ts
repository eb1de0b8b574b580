import type { Metrics, Sample } from '#server/metrics/registry.ts'
import type { Store } from '#server/store/database.ts'
import { readUpstreamFigures, type UpstreamFigures } from '#server/store/upstream-figures.ts'

/** Registers what is sent on, by project and upstream (`o4507.ingest.us.sentry.io/42`). */
export function measureForwarding(metrics: Metrics, store: Store): void {
  const labels = ['project', 'upstream']
  const gauge = (name: string, help: string, value: (figures: UpstreamFigures) => number) =>
    metrics.gauge({ name: `culvert_upstream_${name}`, help, labels }, () =>
      readUpstreamFigures(store).map((figures): Sample => ({
        labels: labelsOf(figures),
        value: value(figures),
      })),
    )
  gauge('delivered_envelopes', 'Envelopes that the upstream has taken.', (of) => of.deliveredCount)
  gauge('waiting_envelopes', 'Envelopes that wait for the upstream.', (of) => of.waitingCount)
  gauge('waiting_bytes', 'Bytes of them.', (of) => of.waitingBytes)
  gauge(
    'oldest_waiting_seconds',
    'Age of the one that has waited for the longest; 0 when none waits.',
    (of) => (of.oldestWaitingAt === undefined ? 0 : Math.max(0, (store.clock() - of.oldestWaitingAt) / 1000)),
  )
  gauge(
    'refused_envelopes',
    'Envelopes that the upstream refused for good, and that wait for a person.',
    (of) => of.failedCount,
  )
  gauge('dropped_envelopes', 'Envelopes that were given up.', (of) => of.droppedCount)
  gauge('failures', 'Failures in a row; 0 while the upstream takes envelopes.', (of) => of.failureCount)
  gauge('paused', '1 while somebody has paused it.', (of) => Number(of.isPaused))
}

function labelsOf({ slug, dsn }: UpstreamFigures): string[] {
  return [slug, `${dsn.host}/${dsn.projectId}`]
}
