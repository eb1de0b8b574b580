import type { EventReference } from '#server/store/events/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { SpanAttribute } from '#traces/span.ts'
import type { TraceRow } from '#traces/trace-rows.ts'

/** A project as it took part in a trace. */
export interface TraceService {
  project: ProjectName
  environment: string
  release?: string
}

/** An error of a trace. */
export interface TraceError extends EventReference {
  /** The span in which it happened, as its payload names it; the trace need not have it. */
  spanId?: string
}

/** Why a trace is not complete, or its times are not exact. */
export interface TraceNote {
  kind: 'no_root' | 'lost_parents' | 'clocks' | 'clocks_ahead' | 'cycles' | 'sampled' | 'segments' | 'cut'
  /** Spans; of `sampled` the percentage of traces, of `segments` those that are stored. */
  count: number
  /** Segments of which the spans are shown. */
  shownCount?: number
  /** There may be more than `count`. */
  isAtLeast?: boolean
}

/** The rows of a trace with all they refer to. */
export interface Waterfall {
  /** Unix milliseconds. */
  startedAt: number
  durationUs: number
  rows: TraceRow[]
  services: TraceService[]
}

/** The page of a trace. Its rows are those of the first screen, or none if it has `allRows`. */
export interface TraceView extends Waterfall {
  now: number
  /** 32 lower-case hex digits. */
  traceId: string
  rowCount: number
  /** Rows that are not below a collapsed one. */
  visibleCount: number
  /** All rows: a text of `formatTraceRows`. */
  allRows?: string
  /** Spans of the trace that were read; more than rows when it is very large. */
  spanCount: number
  /** More spans are stored. */
  hasMoreSpans: boolean
  /** In the projects that the viewer reaches, earliest first: the first of them. */
  errors: TraceError[]
  /** All of them. */
  errorCount: number
  /** There may be more than `errorCount`. */
  hasMoreErrors: boolean
  notes: TraceNote[]
}

/** A span with everything that was sent. */
export interface SpanView {
  spanId: string
  op: string
  name: string
  description?: string
  statusText: string
  /** Unix milliseconds. */
  startedAt: number
  durationUs: number
  service: TraceService
  /** By name. */
  attributes: { name: string; value: SpanAttribute }[]
}

/** The trace of an event, as its page shows it: the part of the waterfall around the span that failed. */
export interface SmallTraceView {
  waterfall: Waterfall
  /** Spans of the trace that were read. */
  spanCount: number
  /** More spans are stored. */
  hasMoreSpans: boolean
  /** The spans that the event is about, if any of them are among the rows. */
  mark?: { spanIds: string[]; text: 'this event' | 'repeated' | 'slow' }
}
