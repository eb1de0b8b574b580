import { parse } from 'bowser'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** Contexts that a user agent tells; each absent when it does not. Shared between events: never change them. */
export interface UserAgentContexts {
  browser?: JsonObject
  os?: JsonObject
  device?: JsonObject
}

const remembered = new Map<string, UserAgentContexts>()

/**
 * Reads browser, operating system and device out of a `User-Agent` header.
 *
 * Parsing takes up to 80 µs and the same few agents come again and again, so the last ones are remembered
 * (`limits.rememberedUserAgents`); the result depends on the text alone all the same.
 */
export function userAgentContexts(userAgent: string): UserAgentContexts {
  const text = userAgent.slice(0, limits.userAgentCharacters)
  const known = remembered.get(text)
  if (known !== undefined) return known
  const contexts = parseUserAgent(text)
  // The oldest goes first. Least recently used would cost a write for each event to save a parse now and then.
  if (remembered.size >= limits.rememberedUserAgents) {
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest)
      break
    }
  }
  remembered.set(text, contexts)
  return contexts
}

function parseUserAgent(text: string): UserAgentContexts {
  if (text.trim() === '') return {}
  const { browser, os, platform } = parse(text)
  const contexts: UserAgentContexts = {}
  const browserContext = named(browser.name, browser.version)
  // Windows tells its kernel's version (`NT 10.0`), which nobody calls it by.
  const osContext = named(os.name, os.name === 'Windows' ? (os.versionName ?? os.version) : os.version)
  if (browserContext !== undefined) contexts.browser = browserContext
  if (osContext !== undefined) contexts.os = osContext
  // A desktop says no more than its operating system does.
  if (platform.model !== undefined) {
    contexts.device = Object.freeze({
      family: platform.model,
      model: platform.model,
      ...(platform.vendor !== undefined && { brand: platform.vendor }),
    })
  }
  return contexts
}

/** Three parts of a version: the fourth differs from build to build and would make each one a tag value. */
function named(name: string | undefined, version: string | undefined): JsonObject | undefined {
  if (name === undefined || name === '') return undefined
  const release = version?.split('.').slice(0, 3).join('.') ?? ''
  return Object.freeze(release === '' ? { name } : { name, version: release })
}
