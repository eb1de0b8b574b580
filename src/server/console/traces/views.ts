import type { EventReference } from '#server/store/events/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Span, SpanAttribute } from '#traces/span.ts'
import type { TraceRow } from '#traces/trace-rows.ts'

/** A project that took part in a trace. */
export interface TraceService {
  project: ProjectName
  /** OpenTelemetry's name of the service. */
  name?: string
  environment: string
  release?: string
}

/** An error of a trace. */
export interface TraceError extends EventReference {
  /** The span in which it occurred, by its payload; it may be missing in the trace. */
  spanId?: string
}

/** A reason why a trace is incomplete, or its times are inexact. */
export interface TraceNote {
  kind: 'no_root' | 'lost_parents' | 'clocks' | 'clocks_ahead' | 'cycles' | 'sampled' | 'segments' | 'cut'
  /** The count of spans; for `sampled` the share of traces, for `segments` the number of stored segments. */
  count: number
  /** The number of segments whose spans are shown. */
  shownCount?: number
  /** True if there may be more than `count`. */
  isAtLeast?: boolean
}

/** The rows of a trace and the data they refer to. */
export interface Waterfall {
  /** Unix milliseconds. */
  startedAt: number
  durationUs: number
  rows: TraceRow[]
  services: TraceService[]
}

/** The page of a trace. It has the rows of the first screen, or none if it has `allRows`. */
export interface TraceView extends Waterfall {
  now: number
  /** 32 lower-case hex digits. */
  traceId: string
  rowCount: number
  /** Rows that are not below a collapsed row. */
  visibleCount: number
  /** All rows, in the format of `formatTraceRows`. */
  allRows?: string
  /** Spans of the trace that were read; a very large trace has fewer rows. */
  spanCount: number
  /** True if more spans are stored. */
  hasMoreSpans: boolean
  /** The first errors in the projects that the viewer has access to, earliest first. */
  errors: TraceError[]
  /** The number of errors. */
  errorCount: number
  /** True if there may be more than `errorCount`. */
  hasMoreErrors: boolean
  notes: TraceNote[]
}

/** A span with all its data. */
export interface SpanView extends Pick<
  Span,
  'spanId' | 'op' | 'name' | 'description' | 'statusText' | 'startedAt' | 'durationUs'
> {
  /** Of the transaction that it is the root span of. */
  eventId?: string
  service: TraceService
  /** Sorted by name. */
  attributes: { name: string; value: SpanAttribute }[]
}

/** The trace on an event's page: the part of the waterfall around the failed span. */
export interface SmallTraceView {
  waterfall: Waterfall
  /** Spans of the trace that were read. */
  spanCount: number
  /** True if more spans are stored. */
  hasMoreSpans: boolean
  /** The spans that the event is about, if any of them are among the rows. */
  mark?: { spanIds: string[]; text: 'this event' | 'repeated' | 'slow' }
}
