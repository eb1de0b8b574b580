import { summarize } from '../latencies.ts'
import { startTunnel, type Destination, type TunnelTarget } from './destination.ts'
import { loadTunnel } from './load.ts'

/** In the order of the table; the first one is what the others are compared with. */
const kinds: [destination: Destination, name: string][] = [
  ['none', 'no upstream'],
  ['up', 'up'],
  ['slow', 'slow by 60 s'],
  ['down', 'refuses connections'],
  ['failing', 'answers 503 and 429'],
]
const slowMs = 60_000
const warmUpMs = 1_000
/** At full rate before the first turn: a server's code is compiled while it runs, which no later turn shall pay for. */
const firstSeconds = 8

interface Lane {
  name: string
  target: TunnelTarget
  acceptedInAll: number
  refused: number
  latenciesMs: number[]
}

/**
 * How long answers take at a fixed rate, in turns of a few seconds: all servers run at once and are loaded one after another, again
 * and again, so that whatever else the machine does hits all of them. Prints a table.
 */
export async function runPacedTunnels({
  perSecond,
  turns,
  turnSeconds,
}: {
  perSecond: number
  turns: number
  turnSeconds: number
}): Promise<void> {
  console.log(`\nfixed rate: ${perSecond} envelopes a second, ${turns} turns of ${turnSeconds} s for each\n`)
  const lanes: Lane[] = []
  try {
    for (const [destination, name] of kinds) {
      const target = await startTunnel(destination, slowMs)
      lanes.push({ name, target, acceptedInAll: 0, refused: 0, latenciesMs: [] })
    }
    for (const lane of lanes) {
      const { acceptedInAll } = await loadTunnel(lane.target, { seconds: firstSeconds, warmUpMs })
      lane.acceptedInAll += acceptedInAll
    }
    for (let turn = 0; turn < turns; turn += 1) {
      // Backwards every second time: who comes after whom is another one then.
      for (const lane of turn % 2 === 0 ? lanes : lanes.toReversed()) {
        const result = await loadTunnel(lane.target, { seconds: turnSeconds, warmUpMs, perSecond })
        lane.acceptedInAll += result.acceptedInAll
        lane.refused += result.refused
        lane.latenciesMs.push(...result.latenciesMs)
      }
    }
    for (const { name, target, acceptedInAll } of lanes)
      if (target.countEvents() !== acceptedInAll)
        throw new Error(`${name}: not all that was accepted is stored`)
    console.table(lanes.map((lane) => toRow(lane, lanes[0] ?? lane)))
  } finally {
    for (const { target } of lanes) await target.stop()
  }
}

function toRow({ name, latenciesMs, refused }: Lane, none: Lane) {
  const [own, compared] = [summarize(latenciesMs), summarize(none.latenciesMs)]
  return {
    upstream: name,
    answers: own.count,
    refused,
    'p50 ms': own.p50Ms.toFixed(1),
    'of none': (own.p50Ms / compared.p50Ms).toFixed(2),
    'p99 ms': own.p99Ms.toFixed(1),
    'p99 of none': (own.p99Ms / compared.p99Ms).toFixed(2),
  }
}
