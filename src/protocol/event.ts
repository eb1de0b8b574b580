import type { Json, JsonObject } from './json.ts'
import { type SecurityReportKind, securityReportKinds } from './security-report.ts'

/**
 * Severity, worst first. Sentry's wire value `warn` is `warning`, `critical` is `fatal`, an unknown one is
 * `error`.
 */
export const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const
export type Level = (typeof levels)[number]

/**
 * The type of an event, which determines its title. `default` is a message without an exception, `feedback`
 * is user feedback, `monitor` and `uptime` a failure of a monitor, `performance` a problem in spans; each
 * kind of security report is a separate type.
 */
export const eventTypes = [
  'error',
  'default',
  ...securityReportKinds,
  'feedback',
  'monitor',
  'uptime',
  'performance',
  'transaction',
] as const
export type EventType = (typeof eventTypes)[number]

export interface Frame {
  function?: string
  /** The function's name before the SDK shortened or demangled it. */
  rawFunction?: string
  module?: string
  /** Path as the SDK shortened it, or the URL's path. */
  filename?: string
  /** Full path or URL. */
  absPath?: string
  /** Library or image the code is in (native, Java, Dart). */
  package?: string
  /** Symbol name of a native frame. */
  symbol?: string
  /** 1-based. */
  lineNumber?: number
  /** 1-based. */
  columnNumber?: number
  contextLine?: string
  preContext?: string[]
  postContext?: string[]
  inApp?: boolean
  vars?: JsonObject
  platform?: string
  instructionAddress?: string
  /** The URL of the line in the project's code host, if a screen shows it. */
  sourceUrl?: string
}

/** Frames oldest call first: the last one is where the error occurred. */
export interface StackTrace {
  frames: Frame[]
}

export interface Mechanism {
  type?: string
  handled?: boolean
  /** The SDK created the exception because a non-Error was thrown: its type has no meaning. */
  synthetic?: boolean
  source?: string
  exceptionId?: number
  parentId?: number
  isExceptionGroup?: boolean
  description?: string
  data?: JsonObject
  meta?: JsonObject
}

export interface ExceptionValue {
  type?: string
  value?: string
  module?: string
  threadId?: string
  mechanism?: Mechanism
  stackTrace?: StackTrace
  /** The stack trace as sent, without source lines, if `stackTrace` was derived from it with source maps. */
  rawStackTrace?: StackTrace
}

export interface Thread {
  id?: string
  name?: string
  crashed?: boolean
  current?: boolean
  /** As the platform names it: `BLOCKED`. */
  state?: string
  stackTrace?: StackTrace
  /** Like an exception's. */
  rawStackTrace?: StackTrace
}

export interface Breadcrumb {
  /** Unix milliseconds. */
  at?: number
  type?: string
  category?: string
  level: Level
  message?: string
  data?: JsonObject
}

export interface Message {
  /** The formatted message. */
  formatted: string
  /** The template without parameter values. */
  template?: string
  params?: Json
}

export interface RequestInfo {
  method?: string
  /** Without query and fragment. */
  url?: string
  query?: [name: string, value: string][]
  fragment?: string
  headers?: [name: string, value: string][]
  cookies?: [name: string, value: string][]
  data?: Json
  env?: JsonObject
}

export interface User {
  id?: string
  email?: string
  username?: string
  name?: string
  ipAddress?: string
  geo?: JsonObject
  data?: JsonObject
}

/** Feedback of a user, optionally about an event. */
export interface Feedback {
  message: string
  name?: string
  email?: string
  /** The page on which it was written. */
  url?: string
  /** The id of the event that it refers to, 32 lower-case hex digits. */
  aboutEventId?: string
  /** The source of the feedback: `widget`, `crash_report_embed_form` … */
  source?: string
}

/** A field of the payload that was invalid and dropped; the rest of the event is kept. */
export interface FieldError {
  /** Dotted path in the payload, as the SDK sent it: `exception.values.0.stacktrace`. */
  field: string
  reason: 'wrong_type' | 'too_long' | 'too_many' | 'clock_drift' | 'future_timestamp' | 'past_timestamp'
}

/** A position in the payload that was scrubbed before the event was stored. */
export interface Redaction {
  /** Dotted path in the payload: `request.headers.Authorization`. */
  field: string
  /** The rules by which, as `_meta` names them: `@password:filter`. */
  rules: string[]
}

/**
 * A normalized event: every field is parsed and typed, unusual shapes are converted, so that no input can
 * cause code that uses this type to fail. Times are Unix milliseconds.
 */
export interface Event {
  /** 32 lower-case hex digits. */
  eventId: string
  type: EventType
  occurredAt: number
  receivedAt: number
  platform: string
  level: Level
  logger?: string
  serverName?: string
  release?: string
  dist?: string
  environment: string
  transaction?: string
  /** Only from old SDKs (raven). It precedes the transaction where the culprit is shown, as in Sentry. */
  culprit?: string
  message?: Message
  /** Root cause first, as on the wire: the last one was thrown. */
  exceptions: ExceptionValue[]
  threads: Thread[]
  breadcrumbs: Breadcrumb[]
  request?: RequestInfo
  user?: User
  contexts: Record<string, JsonObject>
  /** At most one per key, in the order sent. */
  tags: [key: string, value: string][]
  extra: JsonObject
  modules: [name: string, version: string][]
  sdk?: { name?: string; version?: string }
  /** Only if the SDK sent a valid one; may contain `{{ default }}`. */
  fingerprint?: string[]
  checksum?: string
  /** A template engine's error location (Django, Jinja). */
  template?: Frame
  /** Body of a CSP, HPKP, Expect-CT or Expect-Staple report. */
  securityReport?: { kind: SecurityReportKind; data: JsonObject }
  feedback?: Feedback
  traceId?: string
  fieldErrors: FieldError[]
  redactions: Redaction[]
}
