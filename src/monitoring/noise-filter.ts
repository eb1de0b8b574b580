import { isJsonObject } from '#protocol/json.ts'
import { type IgnorePattern, isIgnoredError } from './noise/ignored-error.ts'
import { isIncompleteTransaction } from './noise/incomplete-transaction.ts'
import { isNotFoundTransaction } from './noise/not-found-transaction.ts'
import { isRedirectError, isRedirectSignal } from './noise/redirect-error.ts'
import { findRootSpan, isErrorEvent } from './noise/wire-event.ts'

/** The noise rules by reason. */
export const noiseRules = [
  'ignored-error',
  'not-found-transaction',
  'redirect-error',
  'incomplete-transaction',
] as const
export type NoiseRule = (typeof noiseRules)[number]

export interface NoiseOptions {
  /** A rule is applied unless it is set to false. */
  rules?: Readonly<Partial<Record<NoiseRule, boolean>>>
  /** Patterns that a project adds: texts an error's message contains, or regular expressions. */
  ignoreErrors?: readonly IgnorePattern[]
  /** The thrown value, if available: `hint.originalException` in an SDK. */
  originalException?: unknown
}

/**
 * Finds the rule by which an event is noise; undefined for an event to keep.
 *
 * `event` has Sentry's wire shape: an error, a transaction, or the root span that SDKs since 11 send instead
 * of a transaction. The same rules apply in the browser before sending, on the server before sending, and at
 * ingest for events of other SDKs. Never throws, for any input.
 */
export function findNoise(event: unknown, options: NoiseOptions = {}): NoiseRule | undefined {
  if (!isJsonObject(event)) return undefined
  const isOn = (rule: NoiseRule): boolean => options.rules?.[rule] !== false
  const root = findRootSpan(event)
  if (root !== undefined) {
    if (isOn('not-found-transaction') && isNotFoundTransaction(root)) return 'not-found-transaction'
    if (isOn('incomplete-transaction') && isIncompleteTransaction(root)) return 'incomplete-transaction'
    return undefined
  }
  if (!isErrorEvent(event)) return undefined
  if (isOn('ignored-error') && isIgnoredError(event, options.ignoreErrors)) return 'ignored-error'
  if (!isOn('redirect-error')) return undefined
  return isRedirectSignal(options.originalException) || isRedirectError(event) ? 'redirect-error' : undefined
}
