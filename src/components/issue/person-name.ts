import type { PersonReference } from '#server/store/issues/records.ts'

/** The user's name, or "Deleted account". */
export function personName({ name }: PersonReference): string {
  return name ?? 'Deleted account'
}
