import { sql, type RawBuilder } from 'kysely'
import { searchedTexts, type SearchCondition, type SearchedText } from '#search/term.ts'
import { formOf, type PatternForm, type ValuePattern } from '#search/value-pattern.ts'
import { containsPieces, escapeLike, perEngine } from '#server/store/engine/per-engine.ts'
import { toTextQuery } from '#server/store/engine/postgres/issue-words.ts'

/**
 * True for a column whose value matches the pattern, case-sensitively. Exact values and prefixes are index
 * ranges.
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
  return perEngine({
    sqlite: sql`${column} glob ${form.pieces.map((piece) => piece.replaceAll(/[*?[]/g, '[$&]')).join('*')}`,
    postgres: sql`${column} like ${form.pieces.map(escapeLike).join('%')}`,
  })
}

/** True for a text that contains the pieces in order, case-insensitively. */
function contains(text: RawBuilder<string>, { pieces }: ValuePattern): RawBuilder<boolean> {
  return containsPieces(text, pieces)
}

/** True if one of the conditions is true; false for an empty list. */
export function either(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`
}

type TextCondition = Extract<SearchCondition, { kind: 'text' }>

const columns = {
  title: sql<string>`issues.title`,
  value: sql<string>`issues.subtitle`,
  culprit: sql<string>`issues.culprit`,
  message: sql<string>`coalesce(issues.message, '')`,
} as const satisfies Record<SearchedText, RawBuilder<string>>

/** True if the row contains the text anywhere. */
export function containsText({ value, in: texts }: TextCondition): RawBuilder<boolean> {
  const searched = texts.map((text) => columns[text])
  // A title as screens show it: `TypeError: x is not a function`.
  if (isWholeTitle({ value, in: texts })) searched.push(sql`issues.title || ': ' || issues.subtitle`)
  return either(searched.map((column) => contains(column, value)))
}

function isWholeTitle({ value, in: texts }: Pick<TextCondition, 'value' | 'in'>): boolean {
  return (
    texts.includes('title') && texts.includes('value') && value.pieces.some((piece) => piece.includes(': '))
  )
}

/** True for a text that the full-text index can find: one piece, within one column. */
export function isOfWords(condition: TextCondition): boolean {
  return formOf(condition.value).kind === 'exact' && !isWholeTitle(condition)
}

/**
 * The ids of the issues with the words of a text next to each other. The last word is a prefix, unless the
 * text is a phrase.
 */
export function selectByWord({ value, in: texts, isPhrase }: TextCondition): RawBuilder<unknown> {
  const text = value.pieces.join(' ').replaceAll('"', '""').replaceAll('\0', ' ')
  const phrase = `"${text}"${isPhrase ? '' : ' *'}`
  const query = texts.length === searchedTexts.length ? phrase : `{${texts.join(' ')}} : ${phrase}`
  const columnNumbers = texts.map((name) => searchedTexts.indexOf(name))
  const words = toTextQuery({ text, columns: columnNumbers, isPrefix: !isPhrase })
  return perEngine({
    sqlite: sql`select rowid from issue_texts where issue_texts match ${query}`,
    postgres: sql`select issue_id from issue_texts where words @@ ${words ?? ''}::tsquery`,
  })
}
