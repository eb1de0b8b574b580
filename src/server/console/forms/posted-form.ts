import * as v from 'valibot'

/**
 * What a mutation takes: a value, or the fields of a form that says the same, as a browser posts it without
 * JavaScript. Of several fields of one name the last counts, but for `lists`, of which all do.
 */
export function postedForm<TInput, TOutput>(
  schema: v.GenericSchema<TInput, TOutput>,
  lists: readonly (keyof TInput & string)[] = [],
) {
  return v.pipe(
    // Looked at by the schema; here it only says what scripts are to send.
    v.custom<TInput>(() => true),
    v.transform((posted: TInput): unknown =>
      posted instanceof FormData
        ? {
            ...Object.fromEntries(posted),
            ...Object.fromEntries(lists.map((name) => [name, posted.getAll(name)])),
          }
        : posted,
    ),
    schema,
  )
}
