import { hash } from 'node:crypto'
import type { Event } from '#protocol/event.ts'
import type { Grouping, GroupingSource } from '#server/group/grouping.ts'
import { eventTraces } from './v1/event-traces.ts'
import { exceptionParts } from './v1/exceptions.ts'
import { fallbackParts } from './v1/fallback.ts'
import { customFingerprint, fingerprintParts } from './v1/fingerprint.ts'
import { createAppJudge } from './v1/in-app.ts'
import { groupingText } from './v1/message.ts'
import { securityReportParts } from './v1/security-report.ts'
import { templateParts } from './v1/template.ts'
import { threadParts } from './v1/threads.ts'

/**
 * Mechanism v1: a custom fingerprint, else a checksum, else the first of exceptions, threads, template,
 * security report, feedback and message that has something to say.
 *
 * Released mechanisms are never edited. Everything the answer depends on, every table and limit included,
 * lives in the folder `v1`; only `#protocol/event.ts` comes from outside.
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

/**
 * In order of preference; a generator, so that nothing is worked out behind the first part that has a say.
 */
function* contributions(event: Event): Generator<[GroupingSource, string[]]> {
  const judge = createAppJudge(eventTraces(event), event.platform)
  yield ['exception', exceptionParts(event, judge)]
  yield ['threads', threadParts(event, judge)]
  yield ['template', templateParts(event.template)]
  yield [event.securityReport?.kind === 'csp' ? 'csp' : 'security', securityReportParts(event.securityReport)]
  yield ['feedback', feedbackParts(event)]
  yield ['message', messageParts(event)]
}

/**
 * Feedback of the same words is one issue. Only what is nothing but feedback: an error that brings some is an
 * error.
 */
function feedbackParts(event: Event): string[] {
  const text = event.type === 'feedback' ? groupingText(event.feedback?.message ?? '') : ''
  return text === '' ? [] : [`feedback ${text}`]
}

function messageParts(event: Event): string[] {
  const text = groupingText(event.message?.template || event.message?.formatted || '')
  return text === '' ? [] : [`message ${text}`]
}

/** A checksum that is a hash already is the hash, so that a client can name the issue it means. */
function groupByChecksum(checksum: string): Grouping {
  const isHash = /^[0-9a-f]{32}$/i.test(checksum)
  if (!isHash) return toGrouping('checksum', [checksum])
  return { hash: checksum.toLowerCase(), mechanism: 'v1', source: 'checksum' }
}

/**
 * JSON keeps the borders between the parts, so `['ab', 'c']` and `['a', 'bc']` differ; the source is the kind
 * prefix.
 */
function toGrouping(source: GroupingSource, parts: string[]): Grouping {
  const digest = hash('sha256', JSON.stringify([source, ...parts]), 'hex')
  return { hash: digest.slice(0, 32), mechanism: 'v1', source }
}
