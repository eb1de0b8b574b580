import { formatSchedule, type MonitorSettings } from '#monitors/schedule.ts'
import { formatPublicTarget, isUptime, type UptimeSettings } from '#monitors/uptime.ts'
import type { JsonObject } from '#protocol/json.ts'
import type { QueuedSignal } from '#server/store/monitors/signals.ts'
import { formatInstant } from '#time/time-zone.ts'

const titles = { missed: 'Missed check-in', timeout: 'Timed-out check-in', error: 'Failed check-in' }

/** Characters of a job's output in an event; the check-in has all stored output. */
const outputCharacters = 1_000

/** The envelope with the event of a monitor's failure: one issue per environment. */
export function toFailureEnvelope(queued: QueuedSignal): Buffer | undefined {
  const { signal, monitor, eventId } = queued
  if (signal.kind !== 'failed') return undefined
  const { settings } = monitor
  const event = isUptime(settings)
    ? toUptimeEvent(queued, signal, settings)
    : toCheckInEvent(queued, signal, settings)
  return Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}\n`)
}

type FailedSignal = Extract<QueuedSignal['signal'], { kind: 'failed' }>

function toCheckInEvent(
  { monitor, environment, eventId, release, traceId, body }: QueuedSignal,
  signal: FailedSignal,
  { schedule }: MonitorSettings,
): JsonObject {
  const zone = schedule.kind === 'crontab' ? schedule.timeZone : 'UTC'
  const expected =
    signal.expectedAt === undefined ? undefined : formatInstant(signal.expectedAt, zone, 'minute')
  return {
    event_id: eventId,
    type: 'monitor',
    timestamp: signal.at / 1000,
    platform: 'other',
    level: 'error',
    environment,
    transaction: monitor.slug,
    logentry: { formatted: `${titles[signal.status]}: ${monitor.name}\n${detailOf(signal, expected)}` },
    fingerprint: ['monitor', monitor.id, environment],
    tags: { 'monitor.slug': monitor.slug, 'monitor.status': signal.status },
    contexts: {
      monitor: {
        id: monitor.id,
        slug: monitor.slug,
        schedule: formatSchedule(schedule),
        status: signal.status,
        check_in_id: signal.checkInId,
        ...(expected !== undefined && { expected }),
      },
      ...toTraceContext(traceId),
    },
    ...(release !== undefined && { release }),
    ...(body !== undefined && { extra: { output: body.slice(-outputCharacters) } }),
  }
}

/** A certificate that is still valid causes a warning. */
function toUptimeEvent(
  { monitor, environment, eventId, traceId, seen }: QueuedSignal,
  signal: FailedSignal,
  { target }: UptimeSettings,
): JsonObject {
  const { reason = 'connection', detail = 'The check failed', httpStatus } = seen ?? {}
  const isExpiry = reason === 'expiry'
  return {
    event_id: eventId,
    type: 'uptime',
    timestamp: signal.at / 1000,
    platform: 'other',
    level: isExpiry ? 'warning' : 'error',
    environment,
    transaction: monitor.slug,
    logentry: { formatted: `${isExpiry ? 'Certificate' : 'Down'}: ${monitor.name}\n${detail}` },
    fingerprint: ['monitor', monitor.id, environment],
    tags: { 'monitor.slug': monitor.slug, 'uptime.reason': reason },
    contexts: {
      uptime: {
        id: monitor.id,
        slug: monitor.slug,
        target: formatPublicTarget(target),
        reason,
        detail,
        check_id: signal.checkInId,
        checked_at: formatInstant(signal.at, 'UTC', 'minute'),
        ...(httpStatus !== undefined && { status: httpStatus }),
      },
      ...toTraceContext(traceId),
    },
  }
}

function toTraceContext(traceId: string | undefined): JsonObject {
  return traceId === undefined ? {} : { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } }
}

function detailOf(signal: FailedSignal, expected: string | undefined): string {
  switch (signal.status) {
    case 'missed':
      return `No check-in arrived for ${expected ?? 'the expected run'}`
    case 'timeout':
      return 'The run did not report its end in time'
    case 'error':
  }
  return expected === undefined ? 'The run failed' : `The run of ${expected} failed`
}
