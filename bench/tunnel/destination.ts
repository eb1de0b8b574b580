import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDsn } from '#protocol/dsn.ts'
import type { Store } from '#server/store/database.ts'
import { createUpstream } from '#server/store/upstreams.ts'
import { benchEnvelopePath, benchProject } from '../bench-project.ts'
import { startCulvert, type Target } from '../ingest/target.ts'
import { startChild } from '../run-child.ts'

/** How the upstream behaves; `plain` is ingest without the tunnel, `none` a project that is only stored here. */
export type Destination = 'plain' | 'none' | 'up' | 'slow' | 'down' | 'failing'

/** A server, its upstream, and what is to be sent to it. */
export interface TunnelTarget extends Target {
  /** In the headers of envelopes; empty where there is none. */
  dsn: string
  /** Seconds until the upstream has got so many. */
  waitForUpstream(count: number): Promise<number>
}

const upstreamDsn = `http://${'ab'.repeat(16)}@o4507.ingest.us.sentry.io/77`
const ownDsn = `http://${benchProject.publicKey}@127.0.0.1/${benchProject.id}`

const paths: Record<Destination, string> = {
  plain: benchEnvelopePath,
  none: '/monitoring?o=1&p=42',
  up: '/monitoring?o=4507&p=77&r=us',
  slow: '/monitoring?o=4507&p=77&r=us',
  down: '/monitoring?o=4507&p=77&r=us',
  failing: '/monitoring?o=4507&p=77&r=us',
}

/** Starts Culvert on a store of its own with such an upstream. `slowMs`: how long a slow one takes. */
export async function startTunnel(destination: Destination, slowMs: number): Promise<TunnelTarget> {
  const isForwarded = destination !== 'plain' && destination !== 'none'
  const upstream =
    isForwarded && destination !== 'down' ? await startUpstream(destination, slowMs) : undefined
  const target = await startCulvert({
    // Nobody listens on port 9.
    prepare: (store) => (isForwarded ? addUpstream(store, upstream?.address) : Promise.resolve()),
    path: paths[destination],
  })
  return {
    ...target,
    dsn: destination === 'plain' ? '' : isForwarded ? upstreamDsn : ownDsn,
    waitForUpstream: (count) => upstream?.waitFor(count) ?? Promise.resolve(0),
    async stop() {
      await target.stop()
      upstream?.stop()
    },
  }
}

async function addUpstream(store: Store, connect = '127.0.0.1:9'): Promise<void> {
  const dsn = parseDsn(upstreamDsn)
  if (dsn === undefined) throw new Error('no DSN')
  await createUpstream(store, { projectId: benchProject.id, dsn, connect })
}

async function startUpstream(destination: Destination, slowMs: number) {
  const child = startChild('tunnel/upstream.ts', [destination, slowMs])
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  const read = async () => Number((await lines.next()).value)
  const address = `127.0.0.1:${await read()}`
  return {
    address,
    async waitFor(count: number) {
      const startedAt = performance.now()
      for (;;) {
        child.stdin?.write('\n')
        const got = await read()
        if (got >= count) return (performance.now() - startedAt) / 1000
        if (performance.now() - startedAt > 300_000) throw new Error(`${got} of ${count} have arrived`)
        await sleep(100)
      }
    },
    stop: () => child.kill(),
  }
}
