import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { PostgresError } from '#server/store/engine/postgres/error.ts'
import { clientConfig, cutOff, outliveLoss } from '#server/store/engine/postgres/pool.ts'

/** The error code of a server that does not answer; it is sent between threads. */
export const silenceCode = 'ESILENT'

/** The server answers neither a request nor a probe on a separate connection. */
export class SilentServerError extends PostgresError {
  override readonly name = 'PostgresError'

  constructor(message: string) {
    super(message, silenceCode)
  }
}

/**
 * The result of a probe. `connects`: the connection was opened, and its statement was not answered. A pooler
 * opens connections by itself, so that its queue and a silent server behind it look the same.
 */
export type ProbeResult = 'answers' | 'connects' | 'silent'

const messages = {
  connects:
    'the server opens connections and answers no statement: it hangs, or the pooler in front of it has no free connection',
  silent: 'the server does not answer',
}

/** The error after a probe without an answer. */
export function toSilence(result: Exclude<ProbeResult, 'answers'>): SilentServerError {
  return new SilentServerError(messages[result])
}

/** Parts in which time is measured: a process that was suspended in one of them has waited for that one. */
const stepCount = 10

/**
 * Checks on a new connection whether a server answers within a time-out. An error is an answer, too: requests
 * fail immediately with it. Never rejects.
 */
export async function probeServer(url: string, timeoutMs: number): Promise<ProbeResult> {
  // The time of the driver would not stand still while the process is suspended.
  const client = outliveLoss(new Client({ ...clientConfig(url), connectionTimeoutMillis: 0 }))
  let isConnected = false
  const ask = async () => {
    await client.connect()
    isConnected = true
    await client.query('SELECT 1')
  }
  const answer = ask().then(
    () => true,
    () => true,
  )
  const hasAnswered = await Promise.race([answer, elapse(timeoutMs)])
  if (hasAnswered) await Promise.race([client.end(), sleep(timeoutMs, undefined, { ref: false })])
  cutOff(client)
  if (hasAnswered) return 'answers'
  return isConnected ? 'connects' : 'silent'
}

/** Resolves with false after a time-out in which this thread was able to receive an answer. */
async function elapse(timeoutMs: number): Promise<false> {
  for (let step = 0; step < stepCount; step += 1)
    await sleep(timeoutMs / stepCount, undefined, { ref: false })
  // Timers run before I/O that has arrived meanwhile.
  await nextTick()
  return false
}
