import type { Event, ExceptionValue } from '#protocol/event.ts'
import { isJsonObject } from '#protocol/json.ts'
import type { Grouping } from '#server/group/grouping.ts'
import { groupByV1 } from './v1.ts'

/**
 * Mechanism v2: v1, but the domain and the code of every Apple NSError contribute. v1 uses only those of
 * synthetic exceptions, whereas the SDK sends an ordinary exception without frames, whose value names the
 * code: v1 replaces the code by a placeholder, so all errors of a domain are one issue.
 *
 * Other events keep v1's hash and name.
 */
export function groupByV2(event: Event): Grouping {
  const earlier = groupByV1(event)
  if (!event.exceptions.some(isNsError)) return earlier
  const grouping = groupByV1({ ...event, exceptions: event.exceptions.map(toSynthetic) })
  if (grouping.hash === earlier.hash) return earlier
  return { ...grouping, mechanism: 'v2', earlierHash: earlier.hash }
}

/** True for an exception with the code of an Apple NSError. */
export function isNsError({ mechanism }: ExceptionValue): boolean {
  const nsError = mechanism?.meta?.['ns_error']
  return isJsonObject(nsError) && (typeof nsError['code'] === 'number' || typeof nsError['code'] === 'string')
}

function toSynthetic(exception: ExceptionValue): ExceptionValue {
  if (!isNsError(exception)) return exception
  return { ...exception, mechanism: { ...exception.mechanism, synthetic: true } }
}
