import { describe, expect, it } from 'vitest'
import { formatTraceRows, parseTraceRows } from './trace-row-text.ts'
import { collapseRows, listVisible, type TraceRow } from './trace-rows.ts'

const idOf = (number: number) => number.toString(16).padStart(16, '0')

function row(at: number, fields: Partial<TraceRow> = {}): TraceRow {
  return {
    at,
    spanId: idOf(at),
    depth: 0,
    descendantCount: 0,
    op: 'db.query',
    label: `SELECT ${at % 3}`,
    startUs: at * 10,
    durationUs: 5,
    isError: false,
    isSegment: false,
    serviceAt: 0,
    ...fields,
  }
}

/** A root with functions of nine queries each. */
function treeOf(functionCount: number): TraceRow[] {
  const rows = [row(0, { descendantCount: functionCount * 10, durationUs: 100_000, isSegment: true })]
  for (let number = 0; number < functionCount; number += 1) {
    const at = rows.length
    rows.push(row(at, { depth: 1, parentAt: 0, descendantCount: 9, op: 'function', label: `step "${at}"\n` }))
    for (let query = 1; query < 10; query += 1) rows.push(row(at + query, { depth: 2, parentAt: at }))
  }
  return rows
}

const isCollapsed = (each: TraceRow) => each.isCollapsed === true

describe('the rows of a trace', () => {
  it('are all visible in a small trace', () => {
    const rows = treeOf(19)
    collapseRows(rows, 100_000)
    expect(listVisible(rows, isCollapsed)).toEqual(rows)
  })

  it('are collapsed in a large trace if they are short and without errors', () => {
    const rows = treeOf(30)
    Object.assign(rows[4] ?? {}, { isError: true })
    Object.assign(rows[15] ?? {}, { errorsAt: [0] })
    Object.assign(rows[21] ?? {}, { durationUs: 5_000 })
    collapseRows(rows, 100_000)
    const visible = listVisible(rows, isCollapsed).map(({ at }) => at)
    const open = [0, 1, 2].map((number) => number * 10 + 1)
    expect(visible.slice(0, 31)).toEqual(Array.from({ length: 31 }, (_, at) => at))
    expect(visible).toHaveLength(31 + 27)
    expect(rows.filter(({ depth }) => depth === 1).filter((each) => !isCollapsed(each))).toEqual(
      open.map((at) => rows[at]),
    )
  })

  it('are hidden below a collapsed row even if only some are loaded', () => {
    const rows = treeOf(3).filter(({ at }) => at === 0 || at > 4)
    const visible = listVisible(rows, ({ at }) => at === 11)
    const others = Array.from({ length: 10 }, (_, number) => 21 + number)
    expect(visible.map(({ at }) => at)).toEqual([0, 5, 6, 7, 8, 9, 10, 11, ...others])
  })

  it('are the same after they are formatted and parsed', () => {
    const rows = treeOf(30)
    collapseRows(rows, 100_000)
    Object.assign(rows[7] ?? {}, { isError: true, errorsAt: [2, 5], serviceAt: 3 })
    expect(parseTraceRows(formatTraceRows(rows))).toEqual(rows)
  })

  it('are not parsed from another text', () => {
    for (const text of ['null', '[]', '{}', '{"spanIds":"","depths":[]}', '{"spanIds":1}'])
      expect(() => parseTraceRows(text)).toThrow(RangeError)
  })
})
