import { expect, it, onTestFinished } from 'vitest'
import { startFakeUpstream, type UpstreamBehaviour } from '#test/fake-upstream.ts'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { readProcessUsage } from '../../bench/ingest/process-usage.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, type Ledger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'

const variables = { CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' }
/** More queued bytes than the server may use of memory. */
const messageBytes = 100_000
const warmUpCount = 500
const waitingCount = 2_500
/** The peak memory of the server while 0.25 GB are queued, and while they are forwarded. */
const growthBytes = 100e6

const awayBehaviours: [string, UpstreamBehaviour][] = [
  ['refuses to talk', (response) => response.destroy()],
  ['never answers', () => undefined],
]

it.each(awayBehaviours)(
  'memory remains constant while an upstream %s, and while its queue is sent afterwards',
  async (_what, behaviour) => {
    const dataDir = await makeTestFolder()
    const upstream = await startFakeUpstream(behaviour)
    onTestFinished(() => upstream.close())
    await addFixtureProject(dataDir)
    const dsn = `http://${'d'.repeat(32)}@up.example/7`
    const args = ['upstream', 'add', fixtureProject.name, dsn, '--connect', upstream.address]
    const { code, stderr } = await runCulvert(args, { ...variables, CULVERT_DATA_DIR: dataDir })
    if (code !== 0) throw new Error(stderr)
    const server = await startServerProcess({ dataDir, variables })
    const residentBytes = () => readProcessUsage(server.child.pid ?? 0).residentBytes

    const ledger = createLedger()
    const load = startLoad({ origin: server.origin, clientCount: 8, ledger, messageBytes })
    await peakUntil(ledger, warmUpCount, residentBytes)
    const firstBytes = residentBytes()
    const peakBytes = await peakUntil(ledger, warmUpCount + waitingCount, residentBytes)
    await load.stop()
    expect(peakBytes - firstBytes).toBeLessThan(growthBytes)

    const arrived = new Set<string>()
    upstream.behave((response, { body }) => {
      arrived.add(/"event_id":"([0-9a-f]{32})"/.exec(body.toString('latin1', 0, 500))?.[1] ?? '')
      upstream.requests.length = 0
      response.end('{}')
    })
    // The next attempt is within a minute or two.
    let drainBytes = 0
    while (!ledger.acked.isSubsetOf(arrived)) {
      await pause(100)
      drainBytes = Math.max(drainBytes, residentBytes())
    }
    expect(drainBytes - firstBytes).toBeLessThan(growthBytes)
    process.stdout.write(
      `${ledger.acked.size} waited; MB resident: ${[firstBytes, peakBytes, drainBytes].map((bytes) => Math.round(bytes / 1e6)).join(', ')}\n`,
    )
    expect(await server.end('SIGTERM')).toBe(0)
  },
)

/** The peak memory until this number of events was acknowledged. */
async function peakUntil(ledger: Ledger, count: number, residentBytes: () => number): Promise<number> {
  let peakBytes = 0
  while (ledger.acked.size < count) {
    await pause(100)
    peakBytes = Math.max(peakBytes, residentBytes())
  }
  return peakBytes
}
