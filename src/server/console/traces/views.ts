import type { EventReference } from '#server/store/events/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { SpanAttribute } from '#traces/span.ts'

/** A span as a row of a waterfall. */
export interface TraceRow {
  spanId: string
  /** 0 for a root of the tree. */
  depth: number
  /** Position of its parent in the rows. */
  parentAt?: number
  /** Rows below it; they follow it. */
  descendantCount: number
  op: string
  /** The description, or the name. */
  label: string
  /** Microseconds after the start of the trace. */
  startUs: number
  durationUs: number
  isError: boolean
  isSegment: boolean
  /** Position in `TraceView.services`. */
  serviceAt: number
  /** Positions in `TraceView.errors`. */
  errorsAt?: number[]
}

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

/** The page of a trace. */
export interface TraceView extends Waterfall {
  now: number
  /** 32 lower-case hex digits. */
  traceId: string
  /** Spans of the trace that were read; more than rows when it is very large. */
  spanCount: number
  /** More spans are stored. */
  hasMoreSpans: boolean
  /** In the projects that the viewer reaches, earliest first. */
  errors: TraceError[]
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
