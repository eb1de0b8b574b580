import type { Committer } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { countCommits, type CountedCommitter } from './counted-committer.ts'
import { watchLoop, type LoopWatch } from './loop-watch.ts'
import { createMetrics, type Metrics } from './registry.ts'
import { measureStore } from './store-metrics.ts'
import { createTableMeasure, type TableMeasure } from './table-sizes.ts'

/** Sources of the metrics of the process. */
export interface ServerMetrics {
  /** The registry, for modules with further metrics. */
  readonly registry: Metrics
  readonly loop: LoopWatch
  /** The size of the database by table. */
  readonly sizes: TableMeasure
  /** When the process started. Unix milliseconds. */
  readonly startedAt: number
  stop(): Promise<void>
}

/** Starts measuring a server. Commit only through the returned committer. */
export function measureServer(
  store: Store,
  committer: Committer,
): { metrics: ServerMetrics; committer: CountedCommitter } {
  const metrics = createServerMetrics(store)
  return { metrics, committer: countCommits(committer, metrics.registry) }
}

const single = (read: () => number) => () => [{ value: read() }]

/** Creates the registry with the metrics of every process. */
function createServerMetrics(store: Store): ServerMetrics {
  const { clock, path } = store
  const registry = createMetrics()
  const loop = watchLoop()
  const startedAt = clock() - Math.round(process.uptime() * 1000)
  registry.gauge(
    { name: 'process_start_time_seconds', help: 'When the process began, in Unix seconds.' },
    single(() => startedAt / 1000),
  )
  registry.gauge(
    { name: 'process_resident_memory_bytes', help: 'Memory of the process.' },
    single(() => process.memoryUsage.rss()),
  )
  registry.total(
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time of the process, in its own code and in the kernel.',
    },
    single(() => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000_000
    }),
  )
  registry.gauge(
    {
      name: 'culvert_event_loop_delay_seconds',
      help: 'Delay of the event loop in the last minute.',
      labels: ['quantile'],
    },
    () => {
      const { p50, p99, max } = loop.read()
      return [
        { labels: ['0.5'], value: p50 / 1000 },
        { labels: ['0.99'], value: p99 / 1000 },
        { labels: ['1'], value: max / 1000 },
      ]
    },
  )
  measureStore(registry, store)
  const sizes = createTableMeasure(path, clock)
  return { registry, loop, sizes, startedAt, stop: async () => loop.stop() }
}
