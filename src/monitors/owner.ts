import * as v from 'valibot'

/** The owner of a monitor, as SDKs send it: `user:ID`, `user:ADDRESS` or `team:NAME`. */
export const monitorOwner = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:user|team):[^\p{Cc}]{1,195}$/u, 'An owner is user:ID, user:ADDRESS or team:NAME.'),
)

/** Parses an owner sent by an SDK; undefined for other values. */
export function parseOwner(value: unknown): string | undefined {
  const { success, output } = v.safeParse(monitorOwner, value)
  return success ? output : undefined
}
