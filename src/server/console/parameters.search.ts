import * as v from 'valibot'

/** Text of a search parameter: the router reads `?release=42` as a number. */
export const searchText = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(200),
)

/**
 * The value, or nothing where it makes no sense: a link from somewhere else must show a page, not an error.
 */
export function orAbsent<const TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.fallback(v.optional(schema), undefined)
}
