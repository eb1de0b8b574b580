import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { PostgresError } from '#server/store/engine/postgres/error.ts'
import { clientConfig, cutOff, outliveLoss } from '#server/store/engine/postgres/pool.ts'

/** Code of the error about a server that does not answer; it is sent between threads. */
export const silenceCode = 'ESILENT'

/** The server does not answer: neither a request nor a probe on a connection of its own. */
export class SilentServerError extends PostgresError {
  override readonly name = 'PostgresError'

  constructor() {
    super('the server does not answer', silenceCode)
  }
}

/** Parts in which time is measured: a process that was suspended in one of them has waited for that one. */
const stepCount = 10

/**
 * Checks on a new connection whether a server answers within a time. An error is an answer, too: requests
 * fail with it at once. Never rejects.
 */
export async function isAnswering(url: string, timeoutMs: number): Promise<boolean> {
  // The time of the driver would not stand still while the process is suspended.
  const client = outliveLoss(new Client({ ...clientConfig(url), connectionTimeoutMillis: 0 }))
  const answer = client
    .connect()
    .then(() => client.query('SELECT 1'))
    .then(
      () => true,
      () => true,
    )
  const hasAnswered = await Promise.race([answer, elapse(timeoutMs)])
  if (hasAnswered) await Promise.race([client.end(), sleep(timeoutMs, undefined, { ref: false })])
  cutOff(client)
  return hasAnswered
}

/** Resolves with false after a time in which this thread could have received an answer. */
async function elapse(timeoutMs: number): Promise<false> {
  for (let step = 0; step < stepCount; step += 1)
    await sleep(timeoutMs / stepCount, undefined, { ref: false })
  // Timers come before what has arrived meanwhile.
  await nextTurn()
  return false
}
