import type { Event, EventType, Feedback, FieldError, StackTrace } from '#protocol/event.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { isEmpty } from './emptiness.ts'
import type { EventCache } from './event-cache.ts'
import { readEnvironment, readLevel, readNames, readPlatform } from './event-scalars.ts'
import { readEventTime } from './event-time.ts'
import { FieldReader } from './field-reader.ts'
import { readBreadcrumbs } from './fields/breadcrumbs.ts'
import { addUserAgentContexts, readContexts } from './fields/contexts.ts'
import { addDescribedNames } from './fields/described-contexts.ts'
import { readExceptions } from './fields/exceptions.ts'
import { readFeedback, withoutFeedback } from './fields/feedback.ts'
import { readFingerprint } from './fields/fingerprint.ts'
import { readMessage } from './fields/message.ts'
import { readModules } from './fields/modules.ts'
import { readRequest } from './fields/request.ts'
import { readSecurityReport } from './fields/security-report.ts'
import { readFrame, readStackTrace } from './fields/stack-trace.ts'
import { readThreads } from './fields/threads.ts'
import { readUser } from './fields/user.ts'
import { createLargeBudget } from './free-form-json.ts'
import { readRedactions } from './redactions.ts'
import { readTags } from './sent-tags.ts'
import { isOnServer } from './server-runtime.ts'
import { parseTraceId } from './spans/span-fields.ts'

/** Data about an event from outside its payload. */
export interface NormalizeContext {
  /** 32 lower-case hex digits. */
  eventId: string
  /** Unix milliseconds. */
  receivedAt: number
  /** When it was sent, by the sender's clock. Unix milliseconds. */
  sentAt?: number
  /** When it occurred, as determined at its arrival: `sentAt` is not stored. Unix milliseconds. */
  occurredAt?: number
  /** Address of the HTTP client that sent the event. */
  clientAddress?: string
  /** `User-Agent` of the HTTP request with the event. */
  userAgent?: string
  /**
   * Parses only the fields for filtering, title, tags and grouping: of breadcrumbs only console output, and
   * no modules, variables, source lines around a frame's own line and scrubbed positions. Those are read when
   * the event is displayed.
   */
  isForIndex?: boolean
  cache?: EventCache
}

/**
 * Normalizes the payload of an event item into an `Event`; never throws, for any JSON value.
 *
 * Each field is read independently; an unreadable one is dropped and recorded in `fieldErrors` (Relay's
 * lenient schema). Depends only on its arguments, so the stored bytes result in the same event again.
 * Unchanged free-form parts are shared with `raw`: do not mutate either afterwards.
 */
export function normalizeEvent(raw: unknown, context: NormalizeContext): Event {
  const fieldErrors: FieldError[] = []
  const source = isJsonObject(raw) ? raw : {}
  const reader = FieldReader.of(source, {
    errors: fieldErrors,
    isForIndex: context.isForIndex === true,
    cache: context.cache,
  })
  if (source !== raw) reader.note('', 'wrong_type')
  const tags = readTags(reader, 'tags')
  const time = readEventTime(reader, context)
  const event: Event = {
    eventId: context.eventId,
    type: 'default',
    occurredAt: time.occurredAt,
    receivedAt: context.receivedAt,
    platform: readPlatform(reader),
    level: 'error',
    environment: readEnvironment(reader, tags),
    exceptions: readExceptions(reader, fieldName(source, 'exception', 'sentry.interfaces.Exception')),
    threads: readThreads(reader, 'threads'),
    breadcrumbs: readBreadcrumbs(
      reader,
      fieldName(source, 'breadcrumbs', 'sentry.interfaces.Breadcrumbs'),
      time.shiftMs,
    ),
    contexts: readContexts(reader, fieldName(source, 'contexts', 'sentry.interfaces.Contexts')),
    tags: tags.filter(([key]) => key !== 'environment'),
    extra: reader.json('extra', createLargeBudget()) ?? {},
    modules: reader.isForIndex ? [] : readModules(reader, 'modules'),
    fieldErrors,
    redactions: reader.isForIndex ? [] : readRedactions(source['_meta']),
  }
  readNames(reader, event)
  readWhatHappened(reader, event)
  readSurroundings(reader, event, context)
  event.type = eventType(source, event)
  event.level = readLevel(reader, event.type)
  return event
}

/** SDKs before 2014, some of which are still in use, named the fields after Python classes. */
function fieldName(source: JsonObject, name: string, oldName: string): string {
  return source[name] === undefined && source[oldName] !== undefined ? oldName : name
}

function readWhatHappened(reader: FieldReader, event: Event): void {
  const message = readMessage(reader)
  const fingerprint = readFingerprint(reader, 'fingerprint')
  const securityReport = readSecurityReport(reader)
  const feedback = readFeedback(reader, fieldName(reader.source, 'contexts', 'sentry.interfaces.Contexts'))
  const templateReader = reader.object(fieldName(reader.source, 'template', 'sentry.interfaces.Template'))
  const template = templateReader === undefined ? undefined : readFrame(templateReader, true)
  const stackTrace = readStackTrace(
    reader,
    fieldName(reader.source, 'stacktrace', 'sentry.interfaces.Stacktrace'),
  )
  if (message !== undefined) event.message = message
  if (fingerprint !== undefined) event.fingerprint = fingerprint
  if (securityReport !== undefined) event.securityReport = securityReport
  if (feedback !== undefined) placeFeedback(event, feedback)
  if (template !== undefined) event.template = template
  if (stackTrace !== undefined) placeStackTrace(event, stackTrace)
}

function placeFeedback(event: Event, feedback: Feedback): void {
  const { feedback: context = {}, ...others } = event.contexts
  const rest = withoutFeedback(context)
  event.feedback = feedback
  event.contexts = isEmpty(rest) ? others : { ...others, feedback: rest }
}

/**
 * A separate stack trace belongs to the exception, or without one to the thread that reported the event. It
 * is dropped if the exceptions have their own, because then it is a copy of one of them.
 */
function placeStackTrace(event: Event, stackTrace: StackTrace): void {
  const thrown = event.exceptions.at(-1)
  if (thrown === undefined) {
    // A thread that is marked as current takes precedence.
    const current = !event.threads.some((thread) => thread.current === true)
    event.threads.push({ stackTrace, ...(current && { current }) })
  } else if (event.exceptions.every((exception) => exception.stackTrace === undefined)) {
    thrown.stackTrace = stackTrace
  }
}

function readSurroundings(reader: FieldReader, event: Event, context: NormalizeContext): void {
  const sdkReader = reader.object('sdk')
  const request = readRequest(reader, fieldName(reader.source, 'request', 'sentry.interfaces.Http'))
  const remoteAddress = request?.env?.['REMOTE_ADDR']
  const inferIp = sdkReader?.object('settings')?.text('infer_ip', limits.nameCharacters)
  const user = readUser(reader, fieldName(reader.source, 'user', 'sentry.interfaces.User'), {
    platform: event.platform,
    clientAddress: context.clientAddress,
    ...(typeof remoteAddress === 'string' && { remoteAddress }),
    inferIp,
    isOnServer: isOnServer(event.contexts),
  })
  const sdk = sdkReader === undefined ? undefined : readSdk(sdkReader)
  const traceId = parseTraceId(event.contexts['trace']?.['trace_id'])
  if (request !== undefined) event.request = request
  if (user !== undefined) event.user = user
  if (sdk !== undefined) event.sdk = sdk
  if (traceId !== undefined) event.traceId = traceId
  addDescribedNames(event.contexts)
  addUserAgentContexts(event.contexts, {
    cache: reader.cache,
    platform: event.platform,
    request,
    userAgent: context.userAgent,
  })
}

function readSdk(reader: FieldReader): Event['sdk'] {
  const name = reader.trimmedText('name', limits.nameCharacters)
  const version = reader.trimmedText('version', limits.nameCharacters)
  if (name === undefined && version === undefined) return undefined
  return { name, version }
}

/** SDKs omit the type of errors; only an explicit transaction is one. */
function eventType(source: JsonObject, event: Event): EventType {
  if (source['type'] === 'transaction') return 'transaction'
  if (event.securityReport !== undefined) return event.securityReport.kind
  if (event.exceptions.length > 0) return 'error'
  if (source['type'] === 'monitor' && event.contexts['monitor'] !== undefined) return 'monitor'
  if (source['type'] === 'uptime' && event.contexts['uptime'] !== undefined) return 'uptime'
  if (source['type'] === 'performance' && event.contexts['performance'] !== undefined) return 'performance'
  return event.feedback !== undefined && event.message === undefined ? 'feedback' : 'default'
}
