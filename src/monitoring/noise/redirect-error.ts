import type { JsonObject } from '#protocol/json.ts'
import { lastException, property } from './wire-event.ts'

/**
 * Messages under which SDKs report values that are thrown for control flow. Anchored if possible, so that an
 * error that only mentions one of them is kept.
 */
const signalMessages: readonly RegExp[] = [
  // TanStack: a redirect is a Response.
  /^\[object Response\]$/,
  // TanStack: a not-found is a plain object; SDKs list its keys.
  /^Object captured as [a-z ]+ with keys: (?:\w+, )*is(?:NotFound|Redirect)(?:,|$)/,
  // Next.js, from 13 to 16; redirects may contain their target: NEXT_REDIRECT;push;/x;307;
  /^NEXT_(?:REDIRECT|NOT_FOUND|HTTP_ERROR_FALLBACK;404)(?:;|$)/,
  // React's use() and postpone(), with their production codes.
  /^Suspense Exception: This is not a real error/,
  /^Minified React error #4(?:60|74)[;,.]/,
  /React throws this special object to indicate where/,
]

const anySignalMessage = new RegExp(signalMessages.map(({ source }) => source).join('|'))

/** True for an event made of a framework's redirect, not-found, postpone or suspense signal. */
export function isRedirectError(event: JsonObject): boolean {
  const exception = lastException(event)
  const candidates = [
    property(exception, 'value'),
    property(property(property(exception, 'mechanism'), 'data'), 'digest'),
    property(property(event['extra'], '__serialized__'), 'digest'),
  ]
  return candidates.some(isSignalText)
}

/**
 * True if the thrown value is such a signal itself, or the AbortError of a load that a newer navigation
 * cancelled. Accepts any value, including objects whose getters throw.
 */
export function isRedirectSignal(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  try {
    return (
      (typeof Response === 'function' && thrown instanceof Response) ||
      ('isNotFound' in thrown && thrown.isNotFound === true) ||
      ('name' in thrown && thrown.name === 'AbortError') ||
      ('$$typeof' in thrown && thrown.$$typeof === Symbol.for('react.postpone')) ||
      ('digest' in thrown && isSignalText(thrown.digest)) ||
      ('message' in thrown && isSignalText(thrown.message))
    )
  } catch {
    return false
  }
}

function isSignalText(text: unknown): boolean {
  return typeof text === 'string' && anySignalMessage.test(text)
}
