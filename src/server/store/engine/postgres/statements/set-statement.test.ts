import { describe, expect, it } from 'vitest'
import { SetStatement } from './set-statement.ts'

function toStatement(sql: string, types: string[], isDistributed: boolean): SetStatement {
  const statement = new SetStatement(sql)
  statement.describe({ types, primaryKey: ['project_id', 'id'] }, isDistributed)
  return statement
}

const select = 'SELECT n FROM t WHERE project_id = $1 AND id = $2'
const rows = [
  [1, 10],
  [2, 20],
  [1, 11],
]

describe('a set of rows', () => {
  it('is one statement', () => {
    const sets = toStatement(select, ['bigint', 'bigint'], false).forRows(rows)
    expect(sets.map(({ at, request }) => [at, request.values])).toEqual([
      [
        [0, 1, 2],
        ['{1,2,1}', '{10,20,11}'],
      ],
    ])
  })
})

describe('a set of rows of distributed tables', () => {
  it('is read by one statement for each project, which names it as a constant', () => {
    expect(toStatement(select, ['bigint', 'bigint'], true).forRows(rows)).toEqual([
      {
        at: [0, 2],
        request: {
          sql:
            'SELECT given.set_row, found.* FROM unnest($2::bigint[]) WITH ORDINALITY AS given (p2, set_row) ' +
            'CROSS JOIN LATERAL (SELECT n FROM t WHERE project_id = $1::bigint AND id = given.p2) AS found',
          values: [1, '{10,11}'],
        },
      },
      { at: [1], request: { sql: select, values: [2, 20] } },
    ])
  })

  it('is changed in the same way, wherever the project is among the parameters', () => {
    const update = 'UPDATE t SET n = n + $1 WHERE id = $2 AND project_id = $3'
    const [set] = toStatement(update, ['bigint', 'bigint', 'bigint'], true).forRows([
      [5, 10, 1],
      [6, 11, 1],
    ])
    expect(set?.request).toEqual({
      sql:
        'UPDATE t SET n = n + given.p1 FROM unnest($2::bigint[], $3::bigint[]) AS given (p1, p2) ' +
        'WHERE id = given.p2 AND project_id = $1::bigint',
      values: [1, '{5,6}', '{10,11}'],
    })
  })

  it('is inserted as values, in powers of two', () => {
    const insert = 'INSERT INTO t (project_id, id) VALUES ($1, $2) ON CONFLICT (project_id, id) DO NOTHING'
    const statement = toStatement(insert, ['bigint', 'bigint'], true)
    const sets = statement.forRows(Array.from({ length: 71 }, (_, id) => [1, id]))
    expect(sets.map(({ at }) => at.length)).toEqual([64, 4, 2, 1])
    expect(sets.flatMap(({ at }) => at)).toEqual(Array.from({ length: 71 }, (_, id) => id))
    expect(sets[2]?.request).toEqual({
      sql:
        'INSERT INTO t (project_id, id) VALUES ($1::bigint, $2::bigint), ($3::bigint, $4::bigint) ' +
        'ON CONFLICT (project_id, id) DO NOTHING',
      values: [1, 68, 1, 69],
    })
  })

  it('is one statement for each row where no parameter is the project', () => {
    const sets = toStatement('SELECT project_id FROM t WHERE id = $1 LIMIT 1', ['bigint'], true).forRows([
      [10],
      [20],
    ])
    expect(sets.map(({ request }) => request.values)).toEqual([[10], [20]])
  })
})
