import { startLoad } from '../ingest/load.ts'
import { readProcessUsage } from '../ingest/process-usage.ts'
import { startTunnel, type Destination, type TunnelTarget } from './destination.ts'

const connections = 64
/** Longer than the timeout of a response. */
const slowMs = 60_000
/** Events until V8 has compiled the hot code. */
const warmUpEvents = 15_000
const warmUpSeconds = 4
/** Start of each run, which is not measured: the generator's connections are new. */
const runWarmUpMs = 500

/** The result of loading a server once. */
export interface RunResult {
  perSecond: number
  p99Ms: number
  rejected: number
  latenciesMs: number[]
  /**
   * CPU of the server during the load, per accepted envelope; includes forwarding as far as it happened in
   * that time.
   */
  cpuMicros: number
  /** The same of the upstream process. */
  upstreamCpuMicros: number
  writtenBytes: number
  residentBytes: number
  /** Share of the received envelopes that had been forwarded when the load ended. */
  sentShare: number
  /** Time after the load until all envelopes had been forwarded. */
  drainSeconds: number
}

/** One of the servers that are measured in parallel, with its upstream. */
export class MeasuredServer {
  readonly destination: Destination
  private readonly target: TunnelTarget
  private acceptedInAll = 0

  private constructor(destination: Destination, target: TunnelTarget) {
    this.destination = destination
    this.target = target
  }

  /** Starts a server. */
  static async start(destination: Destination): Promise<MeasuredServer> {
    return new MeasuredServer(destination, await startTunnel(destination, slowMs))
  }

  /** Loads it until V8 has compiled its hot code. */
  async warmUp(): Promise<void> {
    // A machine that is too slow for that many events is not waited for longer.
    for (let load = 0; load < 4 && this.acceptedInAll < warmUpEvents; load += 1)
      await this.run({ seconds: warmUpSeconds })
  }

  /** Loads it for that many seconds, at a fixed rate if given, and then waits for it to forward the rest. */
  async run({ seconds, perSecond = 0 }: { seconds: number; perSecond?: number }): Promise<RunResult> {
    const { target, destination } = this
    const { upstream } = target
    const arrivedBefore = (await upstream?.countArrived()) ?? 0
    const before = this.readUsage()
    const result = await startLoad({
      origin: target.origin,
      path: target.path,
      connections,
      warmUpMs: runWarmUpMs,
      seconds,
      requestsPerSecond: perSecond,
      samples: { dsn: target.dsn },
    }).result
    const after = this.readUsage()
    const arrived = ((await upstream?.countArrived()) ?? 0) - arrivedBefore
    this.acceptedInAll += result.acceptedInAll
    const each = (of: (usage: typeof before) => number) => (of(after) - of(before)) / result.acceptedInAll
    return {
      perSecond: result.accepted / result.seconds,
      p99Ms: result.p99Ms,
      rejected: result.rejected,
      latenciesMs: result.latenciesMs,
      cpuMicros: each(({ server }) => server.cpuSeconds * 1e6),
      upstreamCpuMicros: each((usage) => (usage.upstream?.cpuSeconds ?? 0) * 1e6),
      writtenBytes: each(({ server }) => server.writtenBytes),
      residentBytes: after.server.residentBytes,
      sentShare: arrived / result.acceptedInAll,
      // The next server should have the machine to itself.
      drainSeconds: destination === 'up' ? ((await upstream?.waitFor(this.acceptedInAll)) ?? 0) : 0,
    }
  }

  private readUsage() {
    const { pid, upstream } = this.target
    return { server: readProcessUsage(pid), upstream: upstream && readProcessUsage(upstream.pid) }
  }

  /** Throws unless everything that was answered 200 is stored. */
  async assertStored(): Promise<void> {
    const stored = await this.target.countEvents()
    if (stored !== this.acceptedInAll)
      throw new Error(`${this.destination}: ${stored} of ${this.acceptedInAll} accepted envelopes are stored`)
  }

  async stop(): Promise<void> {
    await this.target.stop()
  }
}
