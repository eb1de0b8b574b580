import type { TraceRow } from './trace-rows.ts'

/** Rows by column: ten thousand objects would take ten times as long to send and to parse. */
interface RowColumns {
  /** Span ids, concatenated. */
  spanIds: string
  depths: number[]
  /** Distinct ops and labels. */
  texts: string[]
  /** Positions in `texts`. */
  ops: number[]
  labels: number[]
  startUs: number[]
  durationUs: number[]
  services: number[]
  /** Sums of `flags`. */
  flags: number[]
  /** Position of a row, and its `errorsAt`. */
  errors: [at: number, errorsAt: number[]][]
}

const flags = { isError: 1, isSegment: 2, isCollapsed: 4 }

const spanIdLength = 16

/** Encodes all rows of a trace as one text. */
export function formatTraceRows(rows: readonly TraceRow[]): string {
  const texts = new Map<string, number>()
  const positionOf = (text: string) => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const ops = rows.map(({ op }) => positionOf(op))
  const labels = rows.map(({ label }) => positionOf(label))
  const columns: RowColumns = {
    spanIds: rows.map(({ spanId }) => spanId).join(''),
    depths: rows.map(({ depth }) => depth),
    texts: [...texts.keys()],
    ops,
    labels,
    startUs: rows.map(({ startUs }) => startUs),
    durationUs: rows.map(({ durationUs }) => durationUs),
    services: rows.map(({ serviceAt }) => serviceAt),
    flags: rows.map(
      ({ isError, isSegment, isCollapsed }) =>
        (isError ? flags.isError : 0) +
        (isSegment ? flags.isSegment : 0) +
        (isCollapsed === true ? flags.isCollapsed : 0),
    ),
    errors: rows.flatMap(({ at, errorsAt }) => (errorsAt === undefined ? [] : [[at, errorsAt]])),
  }
  return JSON.stringify(columns)
}

/** Decodes a text of `formatTraceRows`; throws on any other. */
export function parseTraceRows(text: string): TraceRow[] {
  const columns: unknown = JSON.parse(text)
  if (!isRowColumns(columns)) throw new RangeError('a text has no rows of a trace')
  const { spanIds, depths, texts, ops, labels, startUs, durationUs, services, flags: sums } = columns
  const errors = new Map(columns.errors)
  /** The positions of the ancestors of the current row. */
  const path: number[] = []
  const rows = depths.map((depth, at): TraceRow => {
    path.length = depth
    const parentAt = path.at(-1)
    path.push(at)
    const sum = sums[at] ?? 0
    return {
      at,
      spanId: spanIds.slice(at * spanIdLength, (at + 1) * spanIdLength),
      depth,
      parentAt,
      descendantCount: 0,
      op: texts[ops[at] ?? 0] ?? '',
      label: texts[labels[at] ?? 0] ?? '',
      startUs: startUs[at] ?? 0,
      durationUs: durationUs[at] ?? 0,
      isError: (sum & flags.isError) > 0,
      isSegment: (sum & flags.isSegment) > 0,
      serviceAt: services[at] ?? 0,
      errorsAt: errors.get(at),
      isCollapsed: (sum & flags.isCollapsed) > 0 ? true : undefined,
    }
  })
  for (const { parentAt, descendantCount } of rows.toReversed()) {
    const parent = parentAt === undefined ? undefined : rows[parentAt]
    if (parent !== undefined) parent.descendantCount += descendantCount + 1
  }
  return rows
}

/** `formatTraceRows` wrote it, so only the types of its columns are checked. */
function isRowColumns(value: unknown): value is RowColumns {
  if (typeof value !== 'object' || value === null) return false
  return (
    'spanIds' in value &&
    typeof value.spanIds === 'string' &&
    ['depths', 'texts', 'ops', 'labels', 'startUs', 'durationUs', 'services', 'flags', 'errors'].every(
      (name) => Array.isArray(Object.getOwnPropertyDescriptor(value, name)?.value),
    )
  )
}
