import { randomBytes } from 'node:crypto'
import type { CheckSeen, UptimeSettings } from '#monitors/uptime.ts'
import { toFailureSeen } from './check-failure.ts'
import type { ConnectRule } from './connect-rule.ts'
import { checkHttp } from './http-check.ts'
import { checkCertificate, checkTcp } from './socket-check.ts'

/** The result of a check. */
export interface CheckOutcome {
  status: 'ok' | 'error'
  durationMs: number
  seen: CheckSeen
  /** The trace id of its request, 32 lower-case hex digits; absent for a check without one. */
  traceId?: string
}

/** The dependencies of checks. */
export interface CheckTools {
  rule: ConnectRule
  now: () => number
  /** Aborts the check before its time-out. */
  stopped: AbortSignal
}

/** Runs a check within its time-out. Never rejects. */
export async function runCheck(settings: UptimeSettings, tools: CheckTools): Promise<CheckOutcome> {
  const { target, timeoutSeconds } = settings
  const traceId = target.kind === 'http' ? randomBytes(16).toString('hex') : undefined
  const beganAt = performance.now()
  const timeout = new AbortController()
  const timer = setTimeout(
    () => timeout.abort(new DOMException('the timeout of the check', 'TimeoutError')),
    timeoutSeconds * 1_000,
  )
  const finish = (status: CheckOutcome['status'], seen: CheckSeen): CheckOutcome => ({
    status,
    durationMs: Math.round(performance.now() - beganAt),
    seen,
    traceId,
  })
  try {
    return finish(
      'ok',
      await connect(settings, {
        ...tools,
        traceId,
        signal: AbortSignal.any([timeout.signal, tools.stopped]),
      }),
    )
  } catch (error) {
    return finish('error', toFailureSeen(error, timeoutSeconds))
  } finally {
    clearTimeout(timer)
  }
}

async function connect(
  { target, environment }: UptimeSettings,
  {
    rule,
    now,
    signal,
    traceId = '',
  }: Pick<CheckTools, 'rule' | 'now'> & { signal: AbortSignal; traceId: string | undefined },
): Promise<CheckSeen> {
  if (target.kind === 'http')
    return checkHttp(target, { rule, signal, traceHeaders: toTraceHeaders(traceId, environment) })
  if (target.kind === 'tcp') return checkTcp(target, { rule, signal })
  return checkCertificate(target, { rule, signal, now: now() })
}

/**
 * The headers by which errors of the checked server get the trace of the check. As in Sentry, the trace is
 * not sampled, because it would use up the quota of traces.
 */
function toTraceHeaders(traceId: string, environment: string): Record<string, string> {
  return {
    'sentry-trace': `${traceId}-${randomBytes(8).toString('hex')}-0`,
    baggage: `sentry-trace_id=${traceId},sentry-sampled=false,sentry-environment=${encodeURIComponent(environment)}`,
  }
}
