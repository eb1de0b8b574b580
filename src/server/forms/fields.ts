import * as v from 'valibot'
import type { FormFields } from './form-views.ts'

/** Schemas of single fields, as browsers send them: one text, or several with one name. */

/** The values of a field; empty for an unchecked box. */
const sent = v.optional(v.union([v.string(), v.array(v.string())]), [])

/** The last text with the name, unchanged; undefined if it is missing. */
export const lastText = v.pipe(
  sent,
  v.transform((value) => [value].flat().at(-1)),
)

/** The last text with the name, unchanged; empty if it is missing. */
export const rawText = v.pipe(
  lastText,
  v.transform((value) => value ?? ''),
)

/** A trimmed text. */
export const text = v.pipe(rawText, v.trim())

/** A trimmed text of at most so many characters. `emptyText`: the error of an empty one. */
export function nameText(emptyText: string, characters: number) {
  return v.pipe(
    text,
    v.nonEmpty(emptyText),
    v.maxLength(characters, `Shorten it to ${characters} characters.`),
  )
}

/** The lines of a text area, separated by LF: browsers send CR LF. */
export const multilineText = v.pipe(
  rawText,
  v.transform((value) => value.replaceAll(/\r\n?/g, '\n').trimEnd()),
)

/** True for a checked box. */
export const isTicked = v.pipe(
  sent,
  v.transform((value) => value.length > 0 || value === ''),
)

/** All values with one name. */
export const texts = v.pipe(
  sent,
  v.transform((value) => [value].flat()),
)

/** Parses the fields of a form: a single value as a text, several as a list. Files are left out. */
export function readFormFields(form: FormData): FormFields {
  return Object.fromEntries(
    [...new Set(form.keys())].flatMap((name): [string, string | string[]][] => {
      const values = form.getAll(name).filter((value) => typeof value === 'string')
      const [only, second] = values
      return only === undefined ? [] : [[name, second === undefined ? only : values]]
    }),
  )
}
