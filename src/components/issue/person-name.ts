import type { PersonReference } from '#server/store/issues/records.ts'

/** The person's name, or that the account is deleted. */
export function personName({ name }: PersonReference): string {
  return name ?? 'Deleted account'
}
