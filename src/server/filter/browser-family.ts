import { rememberAgents } from './remembered-agent.ts'

export type BrowserFamily =
  | 'ie'
  | 'edge'
  | 'safari'
  | 'firefox'
  | 'chrome'
  | 'opera'
  | 'opera_mini'
  | 'android'

export interface Browser {
  family: BrowserFamily
  /** Of Android's own browser it is Android's version: the browser says 4.0 on all of them. */
  majorVersion: number
}

/**
 * In order; the first match decides, and its first group is the version. Without a family it is a browser
 * with another name and version. Anchored at the end if browsers built on it append their own name.
 */
const rules: readonly [family: BrowserFamily | undefined, pattern: RegExp][] = [
  ['opera_mini', /(?:Opera Mini(?:\/att)?|OPiOS)[/ ](\d+)/],
  [undefined, /Opera (?:Mobi|Tablet)|Mobile Safari\/\S+ OPR\/|\bOP[TX]\//],
  ['opera', /^Opera\/.*Version\/(\d+)/],
  ['opera', /\b(?:OPR|Opera)[/ ](\d+)/],
  [undefined, /Windows Phone.*Edge\/|Edg(?:A|iOS)\//],
  ['edge', /\bEdge?\/(\d+)/],
  ['ie', /\bMSIE (\d+)/],
  ['ie', /\bTrident\/.*\brv:(\d+)/],
  [undefined, /\((?:Android|Mobile|Tablet)[^)]*\) Gecko\/|\bwv\)|Version\/\S+ Chrome\//],
  ['firefox', /\bFirefox\/(\d+)\S*(?: \([^)]*\))?$/],
  ['chrome', / Chrome\/(\d+)\S* Safari\/\S+$/],
  [undefined, / Chrome\/| CrMo\//],
  ['android', /\bAndroid (\d+).* Version\/\S+ (?:Mobile )?Safari\/\S+$/],
  ['safari', / Version\/(\d+)\S* Safari\/\S+$/],
]

/**
 * Detects the desktop browsers, Opera Mini and Android's own browser, as the families of uap-core, which
 * Relay's filter uses; undefined for all others (including mobile browsers of the same brands).
 *
 * Not the parser of the contexts: that one takes 100 µs, these take one (measured), and a filter must not
 * change with a library's table.
 */
export const findBrowser = rememberAgents((userAgent): Browser | undefined => {
  for (const [family, pattern] of rules) {
    const match = pattern.exec(userAgent)
    if (match === null) continue
    return family === undefined ? undefined : { family, majorVersion: Number(match[1]) }
  }
  return undefined
})
