import { type BrowserFamily, findBrowser } from './browser-family.ts'
import { isWebCrawler } from './web-crawlers.ts'

/** The unsupported versions of a browser, inclusive. */
export interface LegacyVersions {
  family: BrowserFamily
  from: number
  to: number
}

/** By Relay's names: the current ones since December 2025, then older ones that settings may contain. */
export const legacyVersions = {
  ie: [upTo('ie', 11)],
  edge: [upTo('edge', 110)],
  safari: [upTo('safari', 15)],
  firefox: [upTo('firefox', 110)],
  chrome: [upTo('chrome', 110)],
  opera: [upTo('opera', 99)],
  opera_mini: [upTo('opera_mini', 34)],
  android: [upTo('android', 3)],

  default: [upTo('ie', 9), upTo('safari', 5), upTo('opera', 14), upTo('opera_mini', 7), upTo('android', 3)],
  ie_pre_9: [upTo('ie', 8)],
  ie9: [{ family: 'ie', from: 9, to: 9 }],
  ie10: [{ family: 'ie', from: 10, to: 10 }],
  ie11: [{ family: 'ie', from: 11, to: 11 }],
  edge_pre_79: [upTo('edge', 78)],
  safari_pre_6: [upTo('safari', 5)],
  opera_pre_15: [upTo('opera', 14)],
  opera_mini_pre_8: [upTo('opera_mini', 7)],
  android_pre_4: [upTo('android', 3)],
} as const satisfies Record<string, readonly LegacyVersions[]>

export type LegacyBrowser = keyof typeof legacyVersions

/**
 * True for the user agent of a browser with one of the given versions. A crawler that imitates one is not a
 * browser.
 */
export function isLegacyBrowser(userAgent: string, versions: readonly LegacyVersions[]): boolean {
  if (versions.length === 0) return false
  const browser = findBrowser(userAgent)
  if (browser === undefined) return false
  const { family, majorVersion } = browser
  const isLegacy = versions.some(
    (legacy) => legacy.family === family && legacy.from <= majorVersion && majorVersion <= legacy.to,
  )
  return isLegacy && !isWebCrawler(userAgent)
}

function upTo(family: BrowserFamily, to: number): LegacyVersions {
  return { family, from: 0, to }
}
