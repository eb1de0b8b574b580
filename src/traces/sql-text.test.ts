import { describe, expect, it } from 'vitest'
import { createSqlScrubber, scrubSql } from './sql-text.ts'

describe('an SQL text', () => {
  it.each([
    [`SELECT * FROM "users" WHERE "id" = 5`, 'SELECT * FROM users WHERE id = %s'],
    ['select `a`.`b` from `t` where x = $1 and y = :name', 'select a.b from t where x = %s and y = %s'],
    [`SELECT 1 WHERE a IN (1, 2,3 , $4, 'x')`, 'SELECT %s WHERE a IN (%s)'],
    ['INSERT INTO t (a, b) VALUES (?, ?), (?, ?), (?, ?)', 'INSERT INTO t(a, b) VALUES (%s)'],
    [`SELECT 'it''s' || E'\\'x' -- secret 7\n, count(*)`, 'SELECT %s || %s, count(*)'],
    ['/* route:/a */ UPDATE t SET a = NULL, b = -4.5e3', 'UPDATE t SET a = %s, b = %s'],
    ['SELECT x::text FROM logs_20260101 WHERE a<=4;', 'SELECT x FROM logs_{%s} WHERE a <= %s'],
    ['SELECT %s, %s', 'SELECT %s'],
    ['', ''],
  ])('%s', (sent, scrubbed) => {
    expect(scrubSql(sent)).toBe(scrubbed)
  })

  it.each([
    [
      'mysql',
      'SELECT a FROM t WHERE b = "it\\"s ""x"" 7" AND `c` = \'d\\\\\'',
      'SELECT a FROM t WHERE b = %s AND c = %s',
    ],
    ['mariadb', 'UPDATE t SET a = "b", c = "d"', 'UPDATE t SET a = %s, c = %s'],
    ['mysql', "SELECT 'a\\'' , b", 'SELECT %s, b'],
    [
      'postgresql',
      `SELECT "a" FROM t WHERE b = 'c\\' AND d = 'secret'`,
      'SELECT a FROM t WHERE b = %s AND d = %s',
    ],
    ['postgresql', `SELECT E'c\\' AND d = ''secret'`, 'SELECT %s'],
    [
      'postgresql',
      `SELECT a FROM t WHERE b = $$it's "secret"$$ AND c = $1`,
      'SELECT a FROM t WHERE b = %s AND c = %s',
    ],
    ['postgresql', 'DO $body$ x $$ y $body $ z $body$ LANGUAGE sql', 'DO %s LANGUAGE sql'],
    ['postgresql', 'SELECT $1, $2 FROM a$b$c', 'SELECT %s FROM a$b$c'],
    [undefined, 'SELECT $$secret$$ FROM "t"', 'SELECT %s FROM t'],
    [undefined, 'SELECT $tag$secret', 'SELECT %s'],
  ])('of %s: %s', (system, sent, scrubbed) => {
    expect(scrubSql(sent, system)).toBe(scrubbed)
  })

  it('removes the value of an unclosed literal', () => {
    expect(scrubSql(`SELECT * FROM t WHERE a = 'secret`)).toBe('SELECT * FROM t WHERE a = %s')
    expect(scrubSql('SELECT /* secret')).toBe('SELECT')
  })

  it('takes linear time, even for hostile texts', () => {
    const hostile = [
      "'",
      "\\'",
      '"',
      '(',
      '(1),',
      '/*',
      '--',
      '$',
      '::',
      '?,',
      '-',
      "''",
      'a',
      '(1',
      '(((',
      '$$',
      '$a',
      '$a$ ',
      '\\',
    ] as const
    for (const part of hostile) {
      const started = process.cpuUsage().user
      for (const system of ['mysql', 'postgresql', 'other']) scrubSql(part.repeat(50_000), system)
      expect(process.cpuUsage().user - started).toBeLessThan(2_000_000)
    }
  })

  it('is computed once per database system', () => {
    const scrub = createSqlScrubber()
    const query = 'SELECT "a" FROM b'
    for (let time = 0; time < 2; time += 1)
      for (const system of ['mysql', 'postgresql', undefined])
        expect(scrub(query, system)).toBe(scrubSql(query, system))
  })

  it('is unchanged by a second scrubbing', () => {
    const once = scrubSql(`SELECT "a" FROM t WHERE b IN (1,2) AND c = 'x' LIMIT 3`)
    expect(scrubSql(once)).toBe(once)
  })
})
