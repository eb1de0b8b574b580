import * as v from 'valibot'

/** A text in a search parameter: the router parses `?release=42` as a number. */
export const searchText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(200),
)

/** The value, or undefined if it is invalid, so that an external link shows a page and not an error. */
export function orAbsent<const TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.fallback(v.optional(schema), undefined)
}
