import { describe, expect, it } from 'vitest'
import { toArrayText } from './statements/array-text.ts'
import { SetStatement } from './statements/set-statement.ts'
import { WriteBuffer } from './write-buffer.ts'

function toStatement(sql: string, types: string[]): SetStatement {
  const statement = new SetStatement(sql)
  statement.describe({ types, primaryKey: ['a'] })
  return statement
}

const insert = toStatement('INSERT INTO t (a, n) VALUES ($1, $2)', ['bigint', 'bigint'])
const add = toStatement('UPDATE t SET n = n + $1 WHERE a = $2', ['bigint', 'bigint'])
const rename = toStatement('UPDATE t SET name = $1 WHERE a = $2', ['text', 'bigint'])
const double = toStatement('UPDATE t SET n = $1 * n WHERE a = $2', ['bigint', 'bigint'])
const copy = toStatement('UPDATE t SET m = n + $1 WHERE a = $2', ['bigint', 'bigint'])
const trim = toStatement('DELETE FROM t WHERE a < $1', ['bigint'])

/** The values that a buffer sends, with the start of each statement. */
function send(buffer: WriteBuffer): string[][] {
  return buffer
    .take()
    .map(({ sql, values = [] }) => [sql.slice(0, sql.indexOf(' t'))].concat(values.map(String)))
}

describe('buffered writes', () => {
  it('of different rows form one set for each statement', () => {
    const buffer = new WriteBuffer()
    buffer.add(add, [1, 10])
    buffer.add(double, [3, 10])
    buffer.add(add, [2, 11])
    buffer.add(double, [4, 11])
    expect(send(buffer)).toEqual([
      ['UPDATE', '{1,2}', '{10,11}'],
      ['UPDATE', '{3,4}', '{10,11}'],
    ])
    expect(send(buffer)).toEqual([])
  })

  it('of one row are combined into one update if none sets or reads a column that an earlier one sets', () => {
    const buffer = new WriteBuffer()
    buffer.add(add, [1, 10])
    buffer.add(rename, ['x', 10])
    buffer.add(add, [2, 11])
    buffer.add(rename, ['y "z"', 11])
    buffer.add(add, [3, 12])
    buffer.add(copy, [5, 12])
    const statements = buffer.take()
    expect(statements.map(({ values }) => values)).toEqual([
      [3, 12],
      ['{1,2}', '{10,11}', '{"x","y \\"z\\""}'],
      [5, 12],
    ])
    expect(statements[1]?.sql).toBe(
      'UPDATE t SET n = n + given.p1, name = given.p3 FROM unnest($1::bigint[], $2::bigint[], $3::text[])' +
        ' AS given (p1, p2, p3) WHERE a = given.p2',
    )
  })

  it('of one row are combined again, but not across writes of unknown rows', () => {
    const buffer = new WriteBuffer()
    buffer.add(rename, ['x', 10])
    buffer.add(copy, [5, 10])
    buffer.add(add, [1, 10])
    buffer.add(trim, [5])
    buffer.add(rename, ['y', 10])
    expect(buffer.take()).toEqual([
      { sql: 'UPDATE t SET name = $1, m = n + $3, n = n + $4 WHERE a = $2', values: ['x', 10, 5, 1] },
      { sql: 'DELETE FROM t WHERE a < $1', values: [5] },
      { sql: 'UPDATE t SET name = $1 WHERE a = $2', values: ['y', 10] },
    ])
  })

  it('of one row are in consecutive sets, in their order', () => {
    const buffer = new WriteBuffer()
    buffer.add(add, [1, 10])
    buffer.add(insert, [11, 0])
    buffer.add(add, [2, 10])
    buffer.add(add, [3, 11])
    expect(send(buffer)).toEqual([
      ['UPDATE', '1', '10'],
      ['INSERT INTO', '11', '0'],
      ['UPDATE', '{2,3}', '{10,11}'],
    ])
  })

  it('of unknown rows run in order with those before and after', () => {
    const buffer = new WriteBuffer()
    buffer.add(insert, [10, 0])
    buffer.add(trim, [5])
    buffer.add(insert, [11, 0])
    expect(send(buffer)).toEqual([
      ['INSERT INTO', '10', '0'],
      ['DELETE FROM', '5'],
      ['INSERT INTO', '11', '0'],
    ])
  })

  it('send large values by themselves, in their order', () => {
    const buffer = new WriteBuffer()
    const large = 'x'.repeat(9_000)
    for (const [name, a] of [
      ['w', 0],
      ['x', 1],
      [large, 2],
      ['y', 3],
    ] as const)
      buffer.add(rename, [name, a])
    expect(send(buffer)).toEqual([
      ['UPDATE', '{"w","x"}', '{0,1}'],
      ['UPDATE', large, '2'],
      ['UPDATE', 'y', '3'],
    ])
  })
})

it('an array may contain bytes, quotes, backslashes and nulls', () => {
  expect(toArrayText([null, 'a"b\\c', new Uint8Array([1, 255]), 5, -0.5, ''])).toBe(
    String.raw`{NULL,"a\"b\\c","\\x01ff",5,-0.5,""}`,
  )
})
