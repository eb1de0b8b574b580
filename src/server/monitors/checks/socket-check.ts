import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { CheckSeen } from '#monitors/uptime.ts'
import { dayMs } from '#time/time-steps.ts'
import { CheckFailure, describeTlsProblem } from './check-failure.ts'
import type { CheckedHost, ConnectRule } from './connect-rule.ts'
import { toExpiry } from './http-check.ts'

/** The dependencies of a check of a connection. */
export interface SocketCheckTools {
  rule: ConnectRule
  signal: AbortSignal
}

/** Connects to a port, and closes the connection. Throws the error of the connection. */
export async function checkTcp(at: CheckedHost, { rule, signal }: SocketCheckTools): Promise<CheckSeen> {
  const socket = connectTcp({ host: at.host, port: at.port, lookup: rule(at) })
  await untilOpen(socket, 'connect', signal)
  socket.destroy()
  return { detail: 'Connected' }
}

/** Reads the certificate of a server. Throws a `CheckFailure` if it is invalid, or expires soon. */
export async function checkCertificate(
  at: CheckedHost & { warnDays: number },
  { rule, signal, now }: SocketCheckTools & { now: number },
): Promise<CheckSeen> {
  const { host, port, warnDays } = at
  const socket = connectTls({
    host,
    port,
    lookup: rule(at),
    ...(isIP(host) === 0 && { servername: host }),
    // The reason is determined below.
    rejectUnauthorized: false,
  })
  try {
    await untilOpen(socket, 'secureConnect', signal)
    const { authorized, authorizationError } = socket
    if (!authorized) throw new CheckFailure('tls', describeTlsProblem(toCode(authorizationError)))
    const expiresAt = toExpiry(socket)
    if (expiresAt === undefined) throw new CheckFailure('tls', 'The server sends no certificate')
    const days = Math.floor((expiresAt - now) / dayMs)
    const text = `${days === 1 ? '1 day' : `${days} days`}, on ${new Date(expiresAt).toISOString().slice(0, 10)}`
    if (days < warnDays) throw new CheckFailure('expiry', `The certificate expires in ${text}`)
    return { detail: `Valid for ${text}`, certificateExpiresAt: expiresAt }
  } finally {
    socket.destroy()
  }
}

/** Node reports the code as a text, or as an error. */
function toCode(problem: unknown): string {
  if (typeof problem === 'string') return problem
  const code = problem instanceof Error && 'code' in problem ? problem.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}

/** Resolves with the event of a connection; rejects with its error or the reason of the signal. */
async function untilOpen(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const abort = () => {
    reject(signal.reason)
    socket.destroy()
  }
  socket.on('error', reject)
  socket.once('close', () => reject(new CheckFailure('connection', 'The server closed the connection')))
  socket.once(event, () => resolve(undefined))
  signal.addEventListener('abort', abort, { once: true })
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
