import type * as v from 'valibot'
import type {
  Breadcrumb,
  Event,
  ExceptionValue,
  Frame,
  Mechanism,
  StackTrace,
  Thread,
} from '#protocol/event.ts'
import { toFeedbackMetadata } from '#server/api/feedback-metadata.ts'
import { eventCulprit } from '#server/normalize/culprit.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { eventTitle } from '#server/normalize/title.ts'
import type { EventPosition } from '#server/store/events/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { eventAnswer, eventHeadAnswer } from './answer.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Converts an event to an entry of Sentry's event lists. */
export function toEventHeadJson(
  event: Event,
  { id, project }: IssueSummary,
): v.InferOutput<typeof eventHeadAnswer> {
  const { title, subtitle } = eventTitle(event)
  return {
    id: event.eventId,
    eventID: event.eventId,
    groupID: id,
    projectID: String(project.id),
    title: subtitle === '' ? title : `${title}: ${subtitle}`,
    message: event.message?.formatted ?? '',
    culprit: eventCulprit(event),
    location: event.transaction ?? null,
    platform: event.platform,
    type: event.type,
    'event.type': event.type,
    dateCreated: iso(event.occurredAt),
    dateReceived: iso(event.receivedAt),
    user: toUserJson(event),
    tags: toTagsJson(event),
    crashFile: null,
  }
}

/** Converts an event to the event of Sentry's API. */
export function toEventJson(
  event: Event,
  issue: IssueSummary,
  position: Pick<EventPosition, 'nextEventId' | 'previousEventId'>,
): v.InferOutput<typeof eventAnswer> {
  return {
    ...toEventHeadJson(event, issue),
    projectSlug: issue.project.slug,
    metadata: metadataOf(event),
    entries: toEntries(event),
    contexts: event.contexts,
    context: event.extra,
    packages: Object.fromEntries(event.modules),
    sdk: event.sdk ?? null,
    dist: event.dist ?? null,
    release: event.release === undefined ? null : { version: event.release, shortVersion: event.release },
    fingerprints: event.fingerprint ?? [],
    errors: event.fieldErrors.map(({ field, reason }) => ({ type: reason, data: { name: field } })),
    nextEventID: position.nextEventId ?? null,
    previousEventID: position.previousEventId ?? null,
  }
}

function metadataOf(event: Event) {
  const { title, subtitle } = eventTitle(event)
  const { type, feedback } = event
  return {
    ...(type === 'error' && { type: title }),
    title,
    value: subtitle,
    ...(type === 'feedback' && feedback && toFeedbackMetadata(feedback)),
  }
}

function toUserJson({ user }: Event) {
  if (user === undefined) return null
  const { id = null, email = null, username = null, name = null, ipAddress = null, data = {} } = user
  return { id, email, username, name, ip_address: ipAddress, data }
}

/** The tags that the issue counts and the console shows, by key. */
function toTagsJson(event: Event) {
  return indexedTags(event)
    .map(([key, value]) => ({ key, value }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

function toEntries(event: Event) {
  const entries: v.InferOutput<typeof eventAnswer>['entries'] = []
  if (event.message !== undefined) {
    const { formatted, template, params } = event.message
    entries.push({
      type: 'message',
      data: { formatted, message: template ?? formatted, params: params ?? [] },
    })
  }
  if (event.exceptions.length > 0) {
    const values = event.exceptions.map(toExceptionJson)
    entries.push({
      type: 'exception',
      data: { values, hasSystemFrames: hasSystemFrames(event), excOmitted: null },
    })
  }
  if (event.threads.length > 0) {
    entries.push({ type: 'threads', data: { values: event.threads.map(toThreadJson) } })
  }
  if (event.template !== undefined) entries.push({ type: 'template', data: toFrameJson(event.template) })
  if (event.securityReport !== undefined) {
    const { kind, data } = event.securityReport
    entries.push({ type: kind, data })
  }
  if (event.breadcrumbs.length > 0) {
    entries.push({ type: 'breadcrumbs', data: { values: event.breadcrumbs.map(toBreadcrumbJson) } })
  }
  if (event.request !== undefined) {
    const {
      method = null,
      url = '',
      query = [],
      fragment = null,
      headers = [],
      cookies = [],
      data = null,
      env = {},
    } = event.request
    entries.push({ type: 'request', data: { method, url, query, fragment, headers, cookies, data, env } })
  }
  return entries
}

function hasSystemFrames({ exceptions }: Event): boolean {
  return exceptions.some(({ stackTrace }) => stackTrace?.frames.some(({ inApp }) => inApp !== true) ?? false)
}

function toExceptionJson(exception: ExceptionValue) {
  const { type, value, module, mechanism, threadId, stackTrace, rawStackTrace } = exception
  return {
    type: type ?? null,
    value: value ?? '',
    module: module ?? null,
    threadId: threadId ?? null,
    mechanism: mechanism ? toMechanismJson(mechanism) : null,
    stacktrace: toStackTraceJson(stackTrace),
    rawStacktrace: toStackTraceJson(rawStackTrace),
  }
}

/** In Sentry's API a mechanism has the names of the protocol, unlike the fields around it. */
function toMechanismJson({ exceptionId, parentId, isExceptionGroup, ...mechanism }: Mechanism) {
  return {
    ...mechanism,
    exception_id: exceptionId,
    parent_id: parentId,
    is_exception_group: isExceptionGroup,
  }
}

function toThreadJson({ id, name, state, crashed, current, stackTrace, rawStackTrace }: Thread) {
  return {
    id: id ?? null,
    name: name ?? null,
    state: state ?? null,
    crashed: crashed ?? null,
    current: current ?? null,
    stacktrace: toStackTraceJson(stackTrace),
    rawStacktrace: toStackTraceJson(rawStackTrace),
  }
}

function toStackTraceJson(stackTrace: StackTrace | undefined) {
  if (stackTrace === undefined) return null
  return { frames: stackTrace.frames.map(toFrameJson), framesOmitted: null, registers: null }
}

function toFrameJson(frame: Frame) {
  return {
    filename: frame.filename ?? null,
    absPath: frame.absPath ?? null,
    module: frame.module ?? null,
    package: frame.package ?? null,
    platform: frame.platform ?? null,
    function: frame.function ?? null,
    rawFunction: frame.rawFunction ?? null,
    lineNo: frame.lineNumber ?? null,
    colNo: frame.columnNumber ?? null,
    inApp: frame.inApp ?? false,
    instructionAddr: frame.instructionAddress ?? null,
    symbol: frame.symbol ?? null,
    sourceLink: frame.sourceUrl ?? null,
    vars: frame.vars ?? null,
    context: toContext(frame),
  }
}

/** Source lines with their numbers. */
function toContext({
  lineNumber,
  contextLine,
  preContext = [],
  postContext = [],
}: Frame): [number, string][] {
  if (lineNumber === undefined || contextLine === undefined) return []
  const first = lineNumber - preContext.length
  return [...preContext, contextLine, ...postContext].map((line, index) => [first + index, line])
}

function toBreadcrumbJson({ at, type, category, level, message, data }: Breadcrumb) {
  return {
    timestamp: at === undefined ? null : iso(at),
    type: type ?? 'default',
    category: category ?? null,
    level,
    message: message ?? null,
    data: data ?? null,
  }
}
