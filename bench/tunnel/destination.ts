import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDsn } from '#protocol/dsn.ts'
import type { Store } from '#server/store/store.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { startCulvert, type Target } from '../ingest/target.ts'
import { benchEnvelopePath, benchProject } from '../support/project.ts'
import { startChild } from '../support/run-child.ts'

/** The behaviour of the upstream; `plain` is ingest without the tunnel, `none` a project without one. */
export type Destination = 'plain' | 'none' | 'up' | 'slow' | 'down' | 'failing'

/** A server, its upstream, and the envelopes to send to it. */
export interface TunnelTarget extends Target {
  /** DSN in the headers of envelopes; empty without one. */
  dsn: string
  /** Absent if no process acts as the upstream. */
  upstream?: UpstreamProcess
}

/** A running upstream process. */
export interface UpstreamProcess {
  /** `127.0.0.1:PORT` */
  address: string
  pid: number
  /** Number of envelopes received. */
  countArrived(): Promise<number>
  /** Seconds until it has received that many. */
  waitFor(count: number): Promise<number>
  stop(): void
}

const upstreamDsn = `http://${'ab'.repeat(16)}@o4507.ingest.us.sentry.io/77`
const ownDsn = `http://${benchProject.publicKey}@127.0.0.1/${benchProject.id}`
const upstreamPath = '/monitoring?o=4507&p=77&r=us'
/** An address at which no server listens. */
const deadAddress = '127.0.0.1:9'

/** Starts Culvert on its own store with such an upstream. `slowMs`: the response time of a slow one. */
export async function startTunnel(destination: Destination, slowMs: number): Promise<TunnelTarget> {
  if (destination === 'plain') return { ...(await startCulvert({ path: benchEnvelopePath })), dsn: '' }
  if (destination === 'none')
    return { ...(await startCulvert({ path: '/monitoring?o=1&p=42' })), dsn: ownDsn }
  const upstream = destination === 'down' ? undefined : await startUpstream(destination, slowMs)
  const target = await startCulvert({
    prepare: (store) => addUpstream(store, upstream?.address ?? deadAddress),
    path: upstreamPath,
  })
  return {
    ...target,
    dsn: upstreamDsn,
    ...(upstream && { upstream }),
    async stop() {
      await target.stop()
      upstream?.stop()
    },
  }
}

async function addUpstream(store: Store, connect: string): Promise<void> {
  const dsn = parseDsn(upstreamDsn)
  if (dsn === undefined) throw new Error('no DSN')
  await createUpstream(store, { projectId: benchProject.id, dsn, connect })
}

async function startUpstream(destination: Destination, slowMs: number): Promise<UpstreamProcess> {
  const child = startChild('tunnel/upstream.ts', [destination, slowMs])
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => Number((await lines.next()).value)
  const countArrived = () => {
    child.stdin.write('\n')
    return read()
  }
  return {
    address: `127.0.0.1:${await read()}`,
    pid: child.pid ?? 0,
    countArrived,
    async waitFor(count: number) {
      const startedAt = performance.now()
      for (;;) {
        const got = await countArrived()
        if (got >= count) return (performance.now() - startedAt) / 1000
        if (performance.now() - startedAt > 300_000) throw new Error(`${got} of ${count} have arrived`)
        await sleep(50)
      }
    },
    stop: () => child.kill(),
  }
}
