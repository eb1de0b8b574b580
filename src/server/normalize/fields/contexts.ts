import type { RequestInfo } from '#protocol/event.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { isEmpty } from '#server/normalize/emptiness.ts'
import type { EventCache } from '#server/normalize/event-cache.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { boundJsonObject, createLargeBudget, type JsonBudget } from '#server/normalize/free-form-json.ts'
import { isOnServer } from '#server/normalize/server-runtime.ts'
import { cleanText } from '#server/normalize/text.ts'
import { parseUserAgent } from '#server/normalize/user-agent.ts'
import { findHeader } from './request.ts'

/** Contexts that SDKs set and that are read for tags, traces and figures. */
const sentryContexts: ReadonlySet<string> = new Set(
  (
    'trace feedback monitor uptime performance os client_os device browser runtime app response culture gpu cloud_resource ' +
    'otel profile replay flags'
  ).split(' '),
)

/**
 * Reads an event's contexts, which share one budget; empty ones are omitted.
 *
 * A context that is not an object (some users set a text) is stored as `{ value }`. If they exceed the
 * budget, those of SDKs precede the user's: the state of an application must not replace the trace.
 */
export function readContexts(event: FieldReader, key: string): Record<string, JsonObject> {
  const reader = event.object(key)
  if (reader === undefined) return {}
  const names = Object.keys(reader.source)
  const budget = createLargeBudget()
  const contexts = readNamed(reader.source, names, budget)
  if (!isSpent(budget) && !budget.isExceeded) return contexts
  const sorted = [
    ...names.filter((name) => sentryContexts.has(name)),
    ...names.filter((name) => !sentryContexts.has(name)),
  ]
  const sortedBudget = createLargeBudget()
  const kept = readNamed(reader.source, sorted, sortedBudget)
  if (sortedBudget.isExceeded) reader.note('', 'too_long')
  return kept
}

function readNamed(
  source: JsonObject,
  names: readonly string[],
  budget: JsonBudget,
): Record<string, JsonObject> {
  const contexts: Record<string, JsonObject> = {}
  for (const name of names) {
    const value = source[name]
    if (value === undefined || value === null || name === '__proto__') continue
    const bounded = boundJsonObject(isJsonObject(value) ? value : { value }, budget)
    if (!isEmpty(bounded)) contexts[cleanText(name, limits.tagKeyCharacters)] = bounded
    if (isSpent(budget)) break
  }
  return contexts
}

function isSpent({ entries, characters }: JsonBudget): boolean {
  return entries <= 0 || characters <= 0
}

/** Data about the sender of an event from outside its contexts. */
export interface Sender {
  platform: string
  request: RequestInfo | undefined
  /** `User-Agent` of the HTTP request with the event. */
  userAgent?: string
  cache: EventCache | undefined
}

/**
 * Adds browser, operating system and device from the user agent if the SDK has not sent them.
 *
 * The user agent is that of the request in the event or, for events from a browser, that of the HTTP request
 * that sent it. For a server, the visitor's operating system is `client_os`, because `os` is the server's own
 * (as in Relay).
 */
export function addUserAgentContexts(contexts: Record<string, JsonObject>, sender: Sender): void {
  const isBrowser = sender.platform === 'javascript' && !isOnServer(contexts)
  const isOfBrowser = isBrowser && !isSdkAgent(sender.userAgent)
  const userAgent = findHeader(sender.request, 'user-agent') ?? (isOfBrowser ? sender.userAgent : undefined)
  if (userAgent === undefined) return
  const { browser, os, device } = sender.cache?.userAgentContexts(userAgent) ?? parseUserAgent(userAgent)
  const osName = isBrowser && contexts['os'] === undefined ? 'os' : 'client_os'
  if (browser !== undefined) contexts['browser'] ??= browser
  if (os !== undefined) contexts[osName] ??= os
  if (device !== undefined) contexts['device'] ??= device
}

/**
 * True for the user agent of an SDK: `sentry.java.android.react-native/8.2.0`. Events of JavaScript in an app
 * are sent by the native SDK around it, whose name is not that of a browser or a system.
 */
function isSdkAgent(userAgent: string | undefined): boolean {
  return userAgent !== undefined && /^sentry[.-]/i.test(userAgent)
}
