import * as v from 'valibot'
import type { FormFields } from './form-views.ts'

/** Schemas of single fields, as browsers send them: a text, or several of one name. */

/** The values of a field; none for a box that is not ticked. */
const sent = v.optional(v.union([v.string(), v.array(v.string())]), [])

/** The last text of its name, as it was entered; undefined where it is missing. */
export const lastText = v.pipe(
  sent,
  v.transform((value) => [value].flat().at(-1)),
)

/** A text as it was entered, the last one of its name; empty where it is missing. */
export const rawText = v.pipe(
  lastText,
  v.transform((value) => value ?? ''),
)

/** A text without blanks around it. */
export const text = v.pipe(rawText, v.trim())

/** The lines of a text area, with LF between them: a browser sends CR LF. */
export const multilineText = v.pipe(
  rawText,
  v.transform((value) => value.replaceAll(/\r\n?/g, '\n').trimEnd()),
)

/** A box: whether it is ticked. */
export const isTicked = v.pipe(
  sent,
  v.transform((value) => value.length > 0 || value === ''),
)

/** Every field of one name. */
export const texts = v.pipe(
  sent,
  v.transform((value) => [value].flat()),
)

/** Reads the fields of a form: one of a name as a text, several as a list. Files are left out. */
export function readFormFields(form: FormData): FormFields {
  return Object.fromEntries(
    [...new Set(form.keys())].flatMap((name): [string, string | string[]][] => {
      const values = form.getAll(name).filter((value) => typeof value === 'string')
      const [only, second] = values
      return only === undefined ? [] : [[name, second === undefined ? only : values]]
    }),
  )
}
