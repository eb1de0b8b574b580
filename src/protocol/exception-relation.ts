import type { ExceptionValue } from './event.ts'

/**
 * What an exception is to the exception that refers to it: its cause; in Python also the exception that was
 * being handled; in Java one that was suppressed; or a member of a group at a slot, such as `errors[2]`.
 */
export type ExceptionRelation =
  | { kind: 'cause' }
  | { kind: 'context' }
  | { kind: 'suppressed' }
  | { kind: 'member'; slot: string }

/** The relation, by the source that SDKs name in the mechanism (RFC 0079); Java's names only a type. */
export function relationOf({ mechanism }: ExceptionValue): ExceptionRelation {
  const { source } = mechanism ?? {}
  if (source?.includes('[') === true) return { kind: 'member', slot: source }
  if (mechanism?.type === 'suppressed') return { kind: 'suppressed' }
  return { kind: source === '__context__' ? 'context' : 'cause' }
}
