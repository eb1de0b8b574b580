import * as v from 'valibot'

/** Who is responsible for a monitor, as SDKs send it: `user:ID`, `user:ADDRESS` or `team:NAME`. */
export const monitorOwner = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:user|team):[^\p{Cc}]{1,195}$/u, 'An owner is user:ID, user:ADDRESS or team:NAME.'),
)

/** The owner that an SDK sent; undefined for none, and for one that has no known form. */
export function parseOwner(value: unknown): string | undefined {
  const { success, output } = v.safeParse(monitorOwner, value)
  return success ? output : undefined
}
