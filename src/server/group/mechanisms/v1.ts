import { hash } from 'node:crypto'
import type { Event } from '#protocol/event.ts'
import type { Grouping, GroupingSource } from '#server/group/grouping.ts'
import { eventTraces } from './v1/event-traces.ts'
import { exceptionParts } from './v1/exceptions.ts'
import { fallbackParts } from './v1/fallback.ts'
import { customFingerprint, fingerprintParts } from './v1/fingerprint.ts'
import { createInAppPredicate } from './v1/in-app.ts'
import { groupingText } from './v1/message.ts'
import { securityReportParts } from './v1/security-report.ts'
import { templateParts } from './v1/template.ts'
import { threadParts } from './v1/threads.ts'

/**
 * Mechanism v1: a custom fingerprint, otherwise a checksum, otherwise the first of exceptions, threads,
 * template, security report, feedback and message that contributes.
 *
 * Released mechanisms are never edited. Everything that the result depends on, every table and limit
 * included, is in the folder `v1`; only `#protocol/event.ts` is imported from outside.
 */
export function groupByV1(event: Event): Grouping {
  const fingerprint = customFingerprint(event)
  if (fingerprint === undefined) return groupByContent(event)
  const parts = fingerprintParts(event, fingerprint, () => groupByContent(event).hash)
  return toGrouping('fingerprint', parts)
}

function groupByContent(event: Event): Grouping {
  if (event.checksum !== undefined && event.checksum !== '') return groupByChecksum(event.checksum)
  for (const [source, parts] of contributions(event)) {
    if (parts.length > 0) return toGrouping(source, parts)
  }
  return toGrouping('fallback', fallbackParts(event))
}

/** In order of precedence; a generator, so that nothing is computed after the first contribution. */
function* contributions(event: Event): Generator<[GroupingSource, string[]]> {
  const isInApp = createInAppPredicate(eventTraces(event), event.platform)
  yield ['exception', exceptionParts(event, isInApp)]
  yield ['threads', threadParts(event, isInApp)]
  yield ['template', templateParts(event.template)]
  yield [event.securityReport?.kind === 'csp' ? 'csp' : 'security', securityReportParts(event.securityReport)]
  yield ['feedback', feedbackParts(event)]
  yield ['message', messageParts(event)]
}

/**
 * Feedback with the same text is one issue. Only for an event that is nothing but feedback: an error with
 * feedback is an error.
 */
function feedbackParts(event: Event): string[] {
  const text = event.type === 'feedback' ? groupingText(event.feedback?.message ?? '') : ''
  return text === '' ? [] : [`feedback ${text}`]
}

function messageParts(event: Event): string[] {
  const text = groupingText(event.message?.template || event.message?.formatted || '')
  return text === '' ? [] : [`message ${text}`]
}

/** A checksum that is already a hash is used as the hash, so that a client can choose the issue. */
function groupByChecksum(checksum: string): Grouping {
  const isHash = /^[0-9a-f]{32}$/i.test(checksum)
  if (!isHash) return toGrouping('checksum', [checksum])
  return { hash: checksum.toLowerCase(), mechanism: 'v1', source: 'checksum' }
}

/** JSON separates the parts, so `['ab', 'c']` and `['a', 'bc']` differ; the source is a prefix. */
function toGrouping(source: GroupingSource, parts: string[]): Grouping {
  const digest = hash('sha256', JSON.stringify([source, ...parts]), 'hex')
  return { hash: digest.slice(0, 32), mechanism: 'v1', source }
}
