import { UAParser } from 'ua-parser-js'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** The contexts of a user agent, each absent if unknown. Shared between events: never change them. */
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

/** Systems that the parser names otherwise, or in the case of the header. */
const systemNameOf = new Map([
  ...['Windows', 'Android', 'iOS', 'Linux', 'Ubuntu'].map((name): [string, string] => [
    name.toLowerCase(),
    name,
  ]),
  ['mac os', 'macOS'],
  ['chromium os', 'Chrome OS'],
])

/** Browsers as they are called. The parser gives many a name in the case of the header. */
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

/** The parser names the engine if it does not recognize the browser. */
const engineNames = new Set(['webkit', 'khtml', 'mozilla', 'gecko'])

function readBrowser(
  { name, version }: { name?: string | undefined; version?: string | undefined },
  { text, osVersion }: { text: string; osVersion: string | undefined },
): JsonObject | undefined {
  const key = name?.toLowerCase() ?? ''
  if (name === undefined || engineNames.has(key)) return undefined
  // Android's own browser says 4.0 on each of them: it has the version of Android.
  if (key === 'android browser') return named('Android Browser', osVersion)
  return named(browserNameOf.get(key) ?? name, key === 'ie' ? explorerVersion(text, version) : version)
}

/** In its compatibility view Internet Explorer gives an older version; its engine gives the true one. */
function explorerVersion(text: string, version: string | undefined): string | undefined {
  const engine = Number(/\bTrident\/(\d+)/.exec(text)?.[1] ?? Number.NaN)
  return engine + 4 > Number.parseInt(version ?? '0', 10) ? `${engine + 4}.0` : version
}

/** A desktop says no more than its operating system does, and Chrome calls every Android device `K`. */
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

/** Three parts of a version: the fourth differs from build to build and would make each one a tag value. */
function named(name: string | undefined, version: string | undefined): JsonObject | undefined {
  if (name === undefined || name === '') return undefined
  const release = version?.split('.').slice(0, 3).join('.') ?? ''
  return Object.freeze({ name, ...(release !== '' && { version: release }) })
}
