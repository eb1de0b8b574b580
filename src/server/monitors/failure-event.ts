import { formatSchedule } from '#monitors/schedule.ts'
import type { JsonObject } from '#protocol/json.ts'
import type { QueuedSignal } from '#server/store/monitors/signals.ts'
import { formatInstant } from '#time/time-zone.ts'

const titles = { missed: 'Missed check-in', timeout: 'Timed-out check-in', error: 'Failed check-in' }

/** Characters of the output of a job in an event; the check-in has all that was kept. */
const outputCharacters = 1_000

/** The envelope of the event that a failure of a monitor makes: of one issue for each environment. */
export function toFailureEnvelope({
  monitor,
  environment,
  signal,
  eventId,
  release,
  traceId,
  body,
}: QueuedSignal): Buffer | undefined {
  if (signal.kind !== 'failed') return undefined
  const { schedule } = monitor.settings
  const zone = schedule.kind === 'crontab' ? schedule.timeZone : 'UTC'
  const expected =
    signal.expectedAt === undefined ? undefined : formatInstant(signal.expectedAt, zone, 'minute')
  const event: JsonObject = {
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
      ...(traceId !== undefined && { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } }),
    },
    ...(release !== undefined && { release }),
    ...(body !== undefined && { extra: { output: body.slice(-outputCharacters) } }),
  }
  return Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}\n`)
}

function detailOf(
  signal: Extract<QueuedSignal['signal'], { kind: 'failed' }>,
  expected: string | undefined,
): string {
  switch (signal.status) {
    case 'missed':
      return `No check-in arrived for ${expected ?? 'the expected run'}`
    case 'timeout':
      return 'The run did not report its end in time'
    case 'error':
  }
  return expected === undefined ? 'The run failed' : `The run of ${expected} failed`
}
