import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/** Limits of spans and traces. */
export const traceLimits = {
  /**
   * Spans read of one transaction, span item or OTLP request and trace. SDKs send at most 1,000; Relay drops
   * items with more.
   */
  spansPerSegment: 2_000,

  /**
   * Bytes of items with spans that are parsed per envelope, as JSON. SDKs send up to a thousand spans
   * together, of 1.4 to 1.9 kB in pages and servers (measured); with long queries they are larger.
   */
  spanItemBytes: 3 * 1024 * 1024,

  /** Objects and arrays in such an item: a thousand spans with a hundred attributes have 102,000. */
  spanItemObjects: 300_000,

  /** Bytes of an item to which the spans of an OTLP request are converted. */
  otlpItemBytes: 1_572_864,

  /** Traces read of one item or OTLP request. OpenTelemetry's batches have up to 512 spans of any traces. */
  segmentsPerItem: 512,

  /** Bytes of an OTLP request: a Collector's batch of 8,192 spans of 2 kB has 17 MB. */
  otlpBytes: 20_000_000,

  /** Bytes above which OTLP requests are processed one at a time: their spans take five times as many. */
  otlpTogetherBytes: 1024 * 1024,

  /**
   * Spans read of one OTLP request; more are reported as rejected. By default a Collector sends a batch once
   * it has 8,192 spans (`send_batch_size`), with all spans of the request that completes it: an SDK's 512, or
   * such a batch of another Collector. Its `send_batch_max_size` is 0: no limit.
   */
  otlpSpans: 20_000,

  /**
   * Fields of an OTLP request that are read, at all levels; requests with more are rejected. An attribute has
   * four, so 20,000 spans with 20 attributes have 1,760,000. A field can take two bytes, so a few compressed
   * kB can contain millions.
   */
  otlpFields: 2_000_000,

  /** Fields of one span or resource of an OTLP request: read at once, within 10 ms (measured). */
  otlpSpanFields: 10_000,

  /**
   * Length to which texts of attributes are cut when they are read: longer than all that is stored, so that a
   * secret at the end is cut off there and not in two.
   */
  otlpTextCharacters: 8_192,

  /**
   * Length of the texts that a request has once and each of its spans gets: the attributes of a service, of
   * which longer ones are omitted, and the ids of a root span, which are invalid if they are longer.
   */
  otlpServiceCharacters: 256,

  /** Attributes per span, and per root span, which has those of its whole transaction. */
  spanAttributes: 64,
  segmentAttributes: 128,

  /** Length of an attribute's name. Relay: 200. */
  spanAttributeNameCharacters: 200,

  /** Length of an attribute's text, and of lists and objects as JSON text. */
  spanAttributeCharacters: 1_024,

  /** Length of a span's description: URLs and SQL texts. */
  spanDescriptionCharacters: 2_048,

  /** Length of a span's op. Relay: 128. */
  spanOpCharacters: 128,

  /** Length of a span's status text. */
  spanStatusCharacters: 200,

  /** Maximum duration of a span. A longer one is caused by a clock change. */
  spanDurationMs: 30 * dayMs,

  /**
   * Minimum sample rate that a sender can claim; a lower one counts as this one. A span stands for `1 /
   * rate` in the figures, so a rate near 0 would exceed every other count, or be infinite. One in a million
   * is one trace a day of a service with 12 requests per second.
   */
  lowestSampleRate: 1e-6,

  /** Time for which all traces are kept; afterwards a sample is selected. */
  traceHotMs: hourMs,

  /** Segments among which one selection chooses. Bounds its transaction. */
  traceChoiceSegments: 500,

  /**
   * Projects in which the traces of a project are looked up, for errors and for services that keep the same
   * traces.
   */
  traceProjects: 50,

  /** Share of the segments of one name that count as slow, the slowest first: above the 95th percentile. */
  traceSlowShare: 0.05,

  /** Cached names of root spans per project. Beyond it figures decide which name is new. */
  traceNamesPerProject: 1_000,

  /** Megabytes of compressed traces per project, unless its settings have another number. */
  traceMegabytes: 2_000,

  /** Highest number of megabytes that a project can be set to. */
  traceMaxMegabytes: 1_000_000,

  /**
   * Failed traces, and traces of a new name, that are kept per name and selection, because a client can cause
   * any number of 404s.
   */
  traceKeptPerName: 10,

  /** Share of the budget that thinning frees beyond the necessary: of ordinary traces, and of others. */
  traceFreeShare: 0.1,
  traceKeptFreeShare: 0.02,

  /** Segments of a trace read for its page: those that started first. */
  traceSegmentsRead: 200,

  /**
   * JSON bytes of segments' bodies read for one page: a body has up to 3 MB, and a page reads up to 200 of
   * them.
   */
  traceBytesRead: 32 * 1024 * 1024,

  /** Segments of a trace that are counted, and among which a page chooses those it reads. */
  traceSegmentsCounted: 5_000,

  /** Time by which a span may start after it was received before its clock is reported as ahead. */
  clockAheadMs: minuteMs,

  /** Spans of a trace that are shown. */
  traceSpansShown: 10_000,

  /** Levels of a trace in answers of the API; deeper spans are shown at the last one. */
  apiTraceDepth: 200,

  /** Rows rendered at once in the scrolling waterfall of a trace: the height of a large screen. */
  traceRowsInPage: 60,

  /** Bytes of a segment's row and its index entries in addition to its body (measured). */
  traceRowBytes: 200,

  /** Segments read for the small waterfall on the page of an issue: those nearest to its event. */
  smallTraceSegments: 20,

  /** Spans of the small waterfall on the page of an issue. */
  smallTraceSpans: 12,

  /** Share of the console's own requests that are traced in Culvert's own project. */
  ownTracesRate: 0.01,

  /** Spans recorded per such request. */
  ownTraceSpans: 200,

  /** Page loads and navigations whose names are remembered for their later spans. */
  pageNames: 10_000,

  /** Page loads and navigations of an envelope whose names are looked up in stored traces. SDKs send one. */
  pagesLearned: 20,

  /** Stored segments of traces among which root spans are looked up for their names. */
  namedSegmentsSearched: 1_000,

  /** Performance problems found in one segment. */
  problemsPerSegment: 10,

  /** Different performance problems of a project that become events in a minute, in each process. */
  problemsPerMinute: 20,

  /** Length of the text of a problem in its event. */
  problemTextCharacters: 2_048,

  /** Spans of a problem that its event names. */
  problemSpans: 50,

  /** Highest numbers that thresholds of performance problems can be set to. */
  problemMaxCount: 1_000,
  problemMaxMs: 600_000,

  /** Milliseconds within which a transaction satisfies its user, by Apdex. Sentry's default. */
  apdexMs: 300,

  /** Bytes of one segment's body as JSON: more than an item's JSON can make. */
  traceBodyBytes: 16 * 1024 * 1024,

  /** Seconds for which SDKs must not send transactions and spans while the server is under pressure. */
  traceShedSeconds: 60,
} as const
