import { describe, expect, it } from 'vitest'
import { parseStatementShape, toSetSql } from './shape.ts'

describe('the shape of a statement', () => {
  it('has the columns that are given by parameters, not those that are computed', () => {
    const shape = parseStatementShape(
      `INSERT INTO t (a, b, c) VALUES ($1, 'x', $2::tsvector) ON CONFLICT (a) DO UPDATE SET c = excluded.c`,
    )
    expect(shape).toMatchObject({ kind: 'insert', tables: ['t'], isByColumns: true })
    expect([...shape.columns]).toEqual([
      ['a', 0],
      ['c', 1],
    ])
  })

  it('distinguishes an update of the rows of a key from one of other rows', () => {
    const byKey = parseStatementShape(
      'UPDATE t SET n = n + $1, at = CASE WHEN at < $2 THEN $3 ELSE at END WHERE a = $4 AND b = $5',
    )
    expect(byKey).toMatchObject({ isByColumns: true, assigned: ['n', 'at'] })
    expect(parseStatementShape('UPDATE t SET n = $1 WHERE a = $2 AND b < $3').isByColumns).toBe(false)
    expect(parseStatementShape('DELETE FROM t WHERE a = $1 AND b IN (SELECT b FROM u)').isByColumns).toBe(
      false,
    )
  })

  it('has every table of a select', () => {
    const shape = parseStatementShape(
      'SELECT p.a FROM t p LEFT JOIN u c ON c.a = p.a WHERE p.a = $1 LIMIT $2',
    )
    expect(shape.tables).toEqual(['t', 'u'])
    expect([...shape.columns]).toEqual([['a', 0]])
  })

  it('is unknown for another statement', () => {
    expect(() => parseStatementShape('TRUNCATE t')).toThrow('unknown shape')
  })
})

describe('a statement for a set of rows', () => {
  it('has an array for each parameter', () => {
    expect(
      toSetSql('INSERT INTO t (a, b) VALUES ($1, 0) ON CONFLICT DO NOTHING', 'insert', { types: ['bigint'] }),
    ).toBe(
      'INSERT INTO t (a, b) SELECT given.p1, 0 FROM unnest($1::bigint[]) AS given (p1) ON CONFLICT DO NOTHING',
    )
    expect(toSetSql('UPDATE t SET n = n + $1 WHERE a = $2', 'update', { types: ['bigint', 'text'] })).toBe(
      'UPDATE t SET n = n + given.p1 FROM unnest($1::bigint[], $2::text[]) AS given (p1, p2) WHERE a = given.p2',
    )
    expect(toSetSql('DELETE FROM t WHERE a = $1', 'delete', { types: ['text'] })).toBe(
      'DELETE FROM t USING unnest($1::text[]) AS given (p1) WHERE a = given.p1',
    )
    expect(toSetSql('SELECT n FROM t WHERE a = $1', 'select', { types: ['text'] })).toBe(
      'SELECT given.set_row, found.* FROM unnest($1::text[]) WITH ORDINALITY AS given (p1, set_row) ' +
        'CROSS JOIN LATERAL (SELECT n FROM t WHERE a = given.p1) AS found',
    )
  })
})
