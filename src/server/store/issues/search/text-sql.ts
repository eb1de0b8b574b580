import { sql, type RawBuilder } from 'kysely'
import { searchedTexts } from '#search/search-term.ts'
import type { SearchCondition, SearchedText } from '#search/search-term.ts'
import { formOf } from '#search/value-pattern.ts'
import { contains, either } from './value-sql.ts'

type TextCondition = Extract<SearchCondition, { kind: 'text' }>

const columns = {
  title: sql<string>`issues.title`,
  value: sql<string>`issues.subtitle`,
  culprit: sql<string>`issues.culprit`,
  message: sql<string>`coalesce(issues.message, '')`,
} as const satisfies Record<SearchedText, RawBuilder<string>>

/** The text anywhere in the row. */
export function containsText({ value, in: texts }: TextCondition): RawBuilder<boolean> {
  const searched = texts.map((text) => columns[text])
  // A title as people see it and copy it: `TypeError: x is not a function`.
  if (isWholeTitle({ value, in: texts })) searched.push(sql`issues.title || ': ' || issues.subtitle`)
  return either(searched.map((column) => contains(column, value)))
}

function isWholeTitle({ value, in: texts }: Pick<TextCondition, 'value' | 'in'>): boolean {
  return (
    texts.includes('title') && texts.includes('value') && value.pieces.some((piece) => piece.includes(': '))
  )
}

/** True for a text that the index of words can find: one piece, within one column. */
export function isOfWords(condition: TextCondition): boolean {
  return formOf(condition.value).kind === 'exact' && !isWholeTitle(condition)
}

/**
 * The ids of the issues with the words of a text next to each other; the last word may go on, unless the text
 * is a phrase.
 */
export function selectByWord({ value, in: texts, isPhrase }: TextCondition): RawBuilder<unknown> {
  const text = value.pieces.join(' ').replaceAll('"', '""').replaceAll('\0', ' ')
  const phrase = `"${text}"${isPhrase ? '' : ' *'}`
  const query = texts.length === searchedTexts.length ? phrase : `{${texts.join(' ')}} : ${phrase}`
  return sql`select rowid from issue_texts where issue_texts match ${query}`
}
