/** `error` is every status but `ok`; Relay converts the statuses of version 1 alike (`v1_to_v2.rs`). */
export type SpanStatus = 'ok' | 'error'

/** The value of an attribute. Lists and objects are kept as JSON text. */
export type SpanAttribute = string | number | boolean

/** Attributes by name, as own properties. Read with `findAttribute`: a sender chooses the names. */
export type SpanAttributes = Readonly<Record<string, SpanAttribute>>

/**
 * A span in any format in which it was sent: in a transaction, as an item of protocol version 1 or 2, or by
 * OpenTelemetry. Follows protocol version 2. All texts are truncated to `limits`, and scrubbed.
 */
export interface Span {
  /** 32 lower-case hex digits, not all zeros. */
  traceId: string
  /** 16 lower-case hex digits, not all zeros. */
  spanId: string
  parentSpanId?: string
  /** The id of its root span; its own id for a root span. Absent if unknown. */
  segmentId?: string
  /** A root span: the work of a service for one request, page load or task. Sentry calls it a transaction. */
  isSegment: boolean
  /** `http.server`, `db.query`; `default` if the sender set none. */
  op: string
  /** The low-cardinality name set by the sender: `GET /users/$id`, `SELECT users`, in streams `GET`. */
  name: string
  /** More specific than the name, if sent: the URL, the SQL text. */
  description?: string
  status: SpanStatus
  /** `ok`, or the status as sent: `not_found`, `internal_error`, a message of OpenTelemetry. */
  statusText: string
  /** Unix milliseconds of the sender's clock, with a fraction. */
  startedAt: number
  /** Whole microseconds, 0 or more. */
  durationUs: number
  attributes: SpanAttributes
}

/** How well `TraceSegment.transaction` identifies an endpoint; Sentry's `transaction_info.source`. */
export type TransactionSource =
  | 'custom'
  | 'url'
  | 'route'
  | 'view'
  | 'component'
  | 'task'
  | 'sanitized'
  | 'unknown'

/**
 * Spans of one trace that arrived together: a transaction with its spans, the spans of one envelope, or the
 * spans of one service in one OTLP request. Children may arrive before their root span, in another segment.
 */
export interface TraceSegment {
  /**
   * The protocol that it was sent with. `filtered`: a root span that a filter dropped, kept as a marker for
   * its spans in other envelopes.
   */
  kind: 'transaction' | 'spans' | 'filtered'
  /** 32 lower-case hex digits. */
  traceId: string
  /** The event id of a transaction, 32 lower-case hex digits. */
  eventId?: string
  /** The root spans first, then in the order received. At least one. */
  spans: readonly [Span, ...Span[]]
  /** The name of the root span, or of the one that the spans name as theirs. Empty if unknown. */
  transaction: string
  transactionSource: TransactionSource
  /**
   * The names of other root spans that spans name as theirs, by id. Spans are counted under these; the names
   * are not stored.
   */
  otherTransactions?: ReadonlyMap<string, string>
  /** Empty if unknown. */
  environment: string
  release?: string
  /** `javascript`, `node`; `other` if unknown. */
  platform: string
  /** The sample rate of the sender, in (0, 1]: a span stands for `1 / sampleRate`. */
  sampleRate: number
}

/**
 * Spans between two pauses of work that reads the text of each: a query of 2,048 characters takes about a
 * tenth of a millisecond.
 */
export const spansPerStep = 20

/** The value of a span's attribute, or undefined. */
export function findAttribute({ attributes }: Span, name: string): SpanAttribute | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

/** The value of a span's attribute if it is a string; undefined for other types and for an empty one. */
export function attributeText(span: Span, name: string): string | undefined {
  const value = findAttribute(span, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Maximum length of the name of a service: half of a transaction's name. */
const serviceCharacters = 100

/**
 * The service of OpenTelemetry's spans, of which a Collector sends several to one project. Undefined for
 * others, and if the application has no name.
 */
export function findServiceName({ kind, spans: [root] }: TraceSegment): string | undefined {
  const sent = kind === 'spans' ? attributeText(root, 'service.name') : undefined
  // Names are of one line, and leave room for the endpoint.
  const name = sent
    ?.split(/[\r\n]/, 1)[0]
    ?.trim()
    .slice(0, serviceCharacters)
  return name === '' || name?.startsWith('unknown_service') === true ? undefined : name
}

/** The end of a span, in Unix milliseconds with a fraction. */
export function endOf({ startedAt, durationUs }: Span): number {
  return startedAt + durationUs / 1000
}
