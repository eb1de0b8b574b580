import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { listExceptions, property } from './wire-event.ts'

/** A text that the message contains, or a regular expression for it. An empty text matches nothing. */
export type IgnorePattern = string | RegExp

/**
 * Errors of browsers, extensions and embedded code that are not actionable. Complete list of `@sentry/core`
 * 10.75.2 (`integrations/eventFilters`), applied here also to SDKs that are older or have it turned off.
 */
const ignoredMessages: readonly RegExp[] = [
  // A script of another origin, without CORS: the browser hides everything about it.
  /^Script error\.?$/,
  /^Javascript error: Script error\.? on line 0$/,
  // A ResizeObserver callback took longer than a frame.
  /^ResizeObserver loop completed with undelivered notifications.$/,
  // Google Tag Manager with an ad blocker.
  /^Cannot redefine property: googletag$/,
  // Google Search app, issuetracker.google.com/issues/396043331
  /^Can't find variable: gmo$/,
  // Translation in Chrome on iOS.
  /^undefined is not an object \(evaluating 'a\.[A-Z]'\)$/,
  // Wallet extensions.
  /can't redefine non-configurable property "solana"/,
  // Google Tag Manager.
  /vv\(\)\.getRestrictions is not a function/,
  // Instagram's web view.
  /Can't find variable: _AutofillCallbackHandler/,
  // CefSharp, a browser in .NET applications.
  /Object Not Found Matching Id:\d+, MethodName:simulateEvent/,
  // Facebook's browser on Android, sentry-javascript issues 15065 and 23733.
  /Java exception was raised during method invocation$/,
  /Java object is gone$/,
]

/** All patterns in one (none has flags): testing each takes several times as long. */
const anyIgnoredMessage = new RegExp(ignoredMessages.map(({ source }) => source).join('|'))

/** True for an error whose message is ignored, by default or by the project, and for an empty error. */
export function isIgnoredError(event: JsonObject, ignoreErrors: readonly IgnorePattern[] = []): boolean {
  const message = eventMessage(event)
  const exceptions = listExceptions(event)
  const candidates = possibleMessages(message, exceptions.at(-1))
  return (
    candidates.some((candidate) => isIgnoredMessage(candidate, ignoreErrors)) ||
    (message === undefined && exceptions.length > 0 && !exceptions.some(saysSomething))
  )
}

function isIgnoredMessage(message: string, ignoreErrors: readonly IgnorePattern[]): boolean {
  return (
    anyIgnoredMessage.test(message) ||
    ignoreErrors.some((pattern) =>
      typeof pattern === 'string'
        ? pattern !== '' && message.includes(pattern)
        : // Unlike `test`, `search` starts at the beginning also for a pattern with the flag `g`.
          message.search(pattern) !== -1,
    )
  )
}

function possibleMessages(message: string | undefined, exception: Json | undefined): string[] {
  const messages = message === undefined ? [] : [message]
  const value = text(property(exception, 'value'))
  const type = text(property(exception, 'type'))
  if (value === undefined) return messages
  messages.push(value)
  if (type !== undefined) messages.push(`${type}: ${value}`)
  return messages
}

/** The message of an event, in any of its shapes: a string, or an object with or without formatted text. */
function eventMessage(event: JsonObject): string | undefined {
  for (const message of [event['message'], event['logentry']]) {
    const found = isJsonObject(message)
      ? (text(message['formatted']) ?? text(message['message']))
      : text(message)
    if (found !== undefined) return found
  }
  return undefined
}

function saysSomething(exception: Json): boolean {
  if (!isJsonObject(exception)) return false
  const { stacktrace, type, value } = exception
  return Boolean(stacktrace) || (Boolean(type) && type !== 'Error') || Boolean(value)
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
