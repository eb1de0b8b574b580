import { troubleKinds } from '#alerts/notice.ts'
import type { Metrics } from '#server/metrics/registry.ts'
import { readTroubledDestinations, readWaitingFigures } from '#server/store/alerts/deliveries/figures.ts'
import type { Store } from '#server/store/store.ts'
import type { AlertDecider } from './decider.ts'
import type { AlertDeliverer } from './deliverer.ts'

/**
 * Registers the decisions of this process, its attempts to send messages, the pending messages in the store,
 * and the failing destinations, which cannot report their own failure.
 */
export function measureAlerts(metrics: Metrics, store: Store, counted: AlertCounts): void {
  measureCounts(metrics, counted)
  metrics.gauge(
    { name: 'culvert_alert_messages_waiting', help: 'Pending alert messages.', labels: ['channel'] },
    () => readWaitingFigures(store).map(({ channel, waitingCount: value }) => ({ labels: [channel], value })),
  )
  metrics.gauge(
    {
      name: 'culvert_alert_oldest_message_seconds',
      help: 'Time since the oldest pending alert message was due; 0 if none is late.',
      labels: ['channel'],
    },
    () =>
      readWaitingFigures(store).map(({ channel, oldestDueAt }) => ({
        labels: [channel],
        value: Math.max(0, (store.clock() - oldestDueAt) / 1_000),
      })),
  )
  const labels = ['destination', 'channel']
  metrics.gauge(
    {
      name: 'culvert_alert_destination_failing_seconds',
      help: 'Time since an alert destination started to fail; failing destinations only.',
      labels,
    },
    () =>
      readTroubledDestinations(store).flatMap(({ name, channel, failingSince }) =>
        failingSince === undefined
          ? []
          : [{ labels: [name, channel], value: Math.max(0, (store.clock() - failingSince) / 1_000) }],
      ),
  )
  metrics.gauge(
    {
      name: 'culvert_alert_destination_disabled',
      help: '1 for an alert destination that is disabled, by its receiver or an admin.',
      labels,
    },
    () =>
      readTroubledDestinations(store).flatMap(({ name, channel, isDisabled }) =>
        isDisabled ? [{ labels: [name, channel], value: 1 }] : [],
      ),
  )
  metrics.gauge(
    { name: 'culvert_ingest_troubles', help: 'Active ingest problems, by kind.', labels: ['kind'] },
    () => {
      if (!store.connection.isOpen) return []
      const rows = store.connection
        .prepare('SELECT kind, count(*) AS n FROM alert_troubles GROUP BY kind')
        .all()
      const counts = new Map(rows.map((row) => [String(row['kind']), Number(row['n'])]))
      return troubleKinds.map((kind) => ({ labels: [kind], value: counts.get(kind) ?? 0 }))
    },
  )
}

/** The counters of a process. */
type AlertCounts = Pick<AlertDeliverer, 'attemptCounts'> &
  Pick<AlertDecider, 'decisionCounts' | 'countDropped'>

function measureCounts(metrics: Metrics, { attemptCounts, decisionCounts, countDropped }: AlertCounts): void {
  metrics.total(
    {
      name: 'culvert_alert_decisions_total',
      help: 'Decisions of rules about transitions, by result.',
      labels: ['result'],
    },
    () => [...decisionCounts].map(([result, value]) => ({ labels: [result], value })),
  )
  metrics.total(
    {
      name: 'culvert_alert_attempts_total',
      help: 'Attempts to send alert messages, by channel and verdict.',
      labels: ['channel', 'verdict'],
    },
    () => [...attemptCounts].map(([labels, value]) => ({ labels: labels.split(' '), value })),
  )
  metrics.total(
    {
      name: 'culvert_alert_transitions_dropped_total',
      help: 'Transitions dropped from the full queues of projects whose rules cannot be evaluated.',
    },
    () => [{ value: countDropped() }],
  )
}
