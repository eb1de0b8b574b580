import { expect, it } from 'vitest'
import { createMetrics } from '#server/metrics/registry.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { measureAlerts } from './alert-metrics.ts'

const destination = {
  organization_id: 1,
  channel: 'webhook',
  settings: '{}',
  secrets: null,
  created_at: 0,
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  last_error: null,
}
const delivery = {
  organization_id: 1,
  user_id: null,
  push_id: null,
  kind: 'issues',
  first_project_id: 1,
  transition_count: 0,
  message: '{}',
  created_at: 0,
  expires_at: testNow * 2,
  leased_until: null,
  finished_at: null,
}

it('lists failing and disabled destinations, the number and age of pending messages, and ingest problems', async () => {
  const store = await openTestStore()
  await store.writer
    .insertInto('alert_destinations')
    .values([
      { ...destination, id: 'a', name: '#well' },
      { ...destination, id: 'b', name: '#failing', failing_since: testNow - 90_000 },
      { ...destination, id: 'c', name: '#gone "x"\n', disabled_at: testNow },
    ])
    .execute()
  await store.writer
    .insertInto('alert_deliveries')
    .values([
      { ...delivery, id: '1', destination_id: 'b', due_at: testNow - 30_000, status: 'waiting' },
      { ...delivery, id: '2', destination_id: 'b', due_at: testNow + 30_000, status: 'waiting' },
      { ...delivery, id: '3', destination_id: 'b', due_at: 0, status: 'sent' },
    ])
    .execute()
  await store.writer
    .insertInto('alert_troubles')
    .values({ project_id: 1, kind: 'spike', subject: '', since_at: 0, last_at: testNow })
    .execute()
  const metrics = createMetrics()
  measureAlerts(metrics, store, {
    attemptCounts: new Map([['webhook retry', 3]]),
    decisionCounts: new Map([['throttled', 7]]),
    countDropped: () => 5,
  })
  const lines = metrics
    .render()
    .split('\n')
    .filter((line) => /^culvert_(?:alert|ingest_troubles)/.test(line))
  expect(lines.toSorted()).toEqual([
    'culvert_alert_attempts_total{channel="webhook",verdict="retry"} 3',
    'culvert_alert_decisions_total{result="throttled"} 7',
    'culvert_alert_destination_disabled{destination="#gone \\"x\\"\\n",channel="webhook"} 1',
    'culvert_alert_destination_failing_seconds{destination="#failing",channel="webhook"} 90',
    'culvert_alert_messages_waiting{channel="webhook"} 2',
    'culvert_alert_oldest_message_seconds{channel="webhook"} 30',
    'culvert_alert_transitions_dropped_total 5',
    ...['disk_full', 'disk_low', 'rate_limit'].map((kind) => `culvert_ingest_troubles{kind="${kind}"} 0`),
    'culvert_ingest_troubles{kind="spike"} 1',
    'culvert_ingest_troubles{kind="upstream"} 0',
  ])
})
