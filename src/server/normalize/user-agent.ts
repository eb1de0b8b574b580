import { UAParser } from 'ua-parser-js'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** The contexts of a user agent, each absent if unknown. Shared between events: do not modify them. */
export interface UserAgentContexts {
  browser?: JsonObject
  os?: JsonObject
  device?: JsonObject
}

/**
 * Parses browser, operating system and device from a `User-Agent` header. Unknown parts are omitted: an HTTP
 * client, a server or an invented name is not a browser. Reads at most `limits.userAgentCharacters`.
 */
export function parseUserAgent(userAgent: string): UserAgentContexts {
  const text = userAgent.slice(0, limits.userAgentCharacters)
  const parser = new UAParser(text)
  const os = parser.getOS()
  const contexts: UserAgentContexts = {}
  const osContext = named(systemNameOf.get(os.name?.toLowerCase() ?? '') ?? os.name, os.version)
  const browserContext = readBrowser(parser.getBrowser(), { text, osVersion: os.version })
  const deviceContext = readDevice(parser.getDevice())
  if (browserContext !== undefined) contexts.browser = browserContext
  if (osContext !== undefined) contexts.os = osContext
  if (deviceContext !== undefined) contexts.device = deviceContext
  return contexts
}

/** Systems whose name or case differs in the parser. */
const systemNameOf = new Map([
  ...['Windows', 'Android', 'iOS', 'Linux', 'Ubuntu'].map((name): [string, string] => [
    name.toLowerCase(),
    name,
  ]),
  ['mac os', 'macOS'],
  ['chromium os', 'Chrome OS'],
])

/** The usual names of browsers. The parser returns many in the case of the header. */
const browserNames =
  'Chrome, Chromium, Chrome WebView, Firefox, Safari, Mobile Safari, Edge, IE, Opera, Opera Mini, Samsung Internet, Vivaldi, Brave, Electron'

const browserNameOf = new Map([
  ...browserNames.split(', ').map((name): [string, string] => [name.toLowerCase(), name]),
  ['chrome headless', 'HeadlessChrome'],
  ['gsa', 'Google'],
  ['line', 'LINE'],
  ['palemoon', 'Pale Moon'],
  ['qqbrowser', 'QQ Browser'],
  ['silk', 'Amazon Silk'],
  ['ucbrowser', 'UC Browser'],
  ['yandex', 'Yandex Browser'],
])

/** The parser returns the engine if it does not recognize the browser. */
const engineNames = new Set(['webkit', 'khtml', 'mozilla', 'gecko'])

function readBrowser(
  { name, version }: { name?: string | undefined; version?: string | undefined },
  { text, osVersion }: { text: string; osVersion: string | undefined },
): JsonObject | undefined {
  const key = name?.toLowerCase() ?? ''
  if (name === undefined || engineNames.has(key)) return undefined
  // Android's own browser always reports 4.0, so the version of Android is used.
  if (key === 'android browser') return named('Android Browser', osVersion)
  return named(browserNameOf.get(key) ?? name, key === 'ie' ? explorerVersion(text, version) : version)
}

/** In compatibility view Internet Explorer reports an older version; its engine reports the real one. */
function explorerVersion(text: string, version: string | undefined): string | undefined {
  const engine = Number(/\bTrident\/(\d+)/.exec(text)?.[1] ?? Number.NaN)
  return engine + 4 > Number.parseInt(version ?? '0', 10) ? `${engine + 4}.0` : version
}

/** A desktop model adds nothing to its operating system, and Chrome calls every Android device `K`. */
const noModels = new Set(['Macintosh', 'K'])

function readDevice({
  model,
  vendor,
}: {
  model?: string | undefined
  vendor?: string | undefined
}): JsonObject | undefined {
  if (model === undefined || model === '' || noModels.has(model)) return undefined
  return Object.freeze({ family: model, model, ...(vendor !== undefined && { brand: vendor }) })
}

/** Three parts of a version: the fourth differs between builds, and each would be another tag value. */
function named(name: string | undefined, version: string | undefined): JsonObject | undefined {
  if (name === undefined || name === '') return undefined
  const release = version?.split('.').slice(0, 3).join('.') ?? ''
  return Object.freeze({ name, ...(release !== '' && { version: release }) })
}
