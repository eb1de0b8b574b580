import type { Store } from '#server/store/store.ts'
import type { Metrics } from './registry.ts'

/** Registers whether reads are sent to the replica, and its lag. Does nothing without a replica. */
export function measureReplica(registry: Metrics, { replica }: Store): void {
  if (replica === undefined) return
  registry.gauge(
    { name: 'culvert_replica_used', help: '1 while reads go to the replica, 0 while the primary answers.' },
    () => [{ value: replica.state.isUsed ? 1 : 0 }],
  )
  registry.gauge(
    { name: 'culvert_replica_lag_seconds', help: 'How far the replica is behind; absent where unknown.' },
    () => (replica.state.lagMs === undefined ? [] : [{ value: replica.state.lagMs / 1000 }]),
  )
  registry.total(
    {
      name: 'culvert_replica_fallbacks_total',
      help: 'Statements for the replica that the primary has run instead.',
    },
    () => [{ value: replica.fallbackCount }],
  )
}
