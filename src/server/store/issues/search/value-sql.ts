import { sql, type RawBuilder } from 'kysely'
import type { PatternForm, ValuePattern } from '#search/value-pattern.ts'

/**
 * True for a column whose value has the form. Letter by letter; exact values and prefixes are ranges of an
 * index.
 */
export function hasForm(column: RawBuilder<string>, form: PatternForm): RawBuilder<boolean> {
  switch (form.kind) {
    case 'any':
      return sql`${column} is not null`
    case 'exact':
      return sql`${column} = ${form.text}`
    case 'prefix':
      return sql`(${column} >= ${form.text} and ${column} < ${`${form.text}\u{10ffff}`})`
    case 'wild':
      break
  }
  return sql`${column} glob ${form.pieces.map((piece) => piece.replaceAll(/[*?[]/g, '[$&]')).join('*')}`
}

/** True for a text that has the pieces in their order, in any case. */
export function contains(text: RawBuilder<string>, { pieces }: ValuePattern): RawBuilder<boolean> {
  const escaped = pieces.map((piece) => piece.replaceAll(/[\\%_]/g, '\\$&'))
  return sql`${text} like ${`%${escaped.join('%')}%`} escape '\\'`
}

/** True where one of the conditions is; false for none. */
export function either(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`
}
