import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { findBrowser } from './browser-family.ts'

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('findBrowser', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/131.0.0.0 Safari/537.36`, 'chrome', 131],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
      'edge',
      131,
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`,
      'opera',
      110,
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'firefox', 132],
    [
      'Mozilla/5.0 (Windows; U; Windows NT 6.1; de; rv:1.9.2) Gecko/2010 Firefox/3.6 (.NET CLR 3.5.30729)',
      'firefox',
      3,
    ],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/17.6 Safari/605.1.15`, 'safari', 17],
    ['Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko', 'ie', 11],
    ['Opera/9.64 (Windows NT 5.1; U; en) Presto/2.1.1', 'opera', 9],
    ['Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; en) Opera 8.50', 'opera', 8],
  ])('recognizes %s', (userAgent, family, majorVersion) => {
    expect(findBrowser(userAgent)).toEqual({ family, majorVersion })
  })

  it.each([
    ['Chrome on a phone', `Mozilla/5.0 (Linux; Android 10; K) ${blink} Chrome/90.0.0.0 Mobile Safari/537.36`],
    ['a web view', `Mozilla/5.0 (Linux; Android 9; X; wv) ${blink} Version/4.0 Chrome/90.0 Safari/537.36`],
    [
      'Chrome without a head',
      `Mozilla/5.0 (X11; Linux x86_64) ${blink} HeadlessChrome/90.0.0.0 Safari/537.36`,
    ],
    [
      'Samsung',
      `Mozilla/5.0 (Linux; Android 13) ${blink} SamsungBrowser/20.0 Chrome/106.0.0.0 Mobile Safari/537.36`,
    ],
    ['Vivaldi', `Mozilla/5.0 (Windows NT 10.0) ${blink} Chrome/98.0.4758.141 Safari/537.36 Vivaldi/4.3`],
    ['Electron', `Mozilla/5.0 (X11; Linux x86_64) ${blink} App/1.0 Chrome/89.0 Electron/12.0 Safari/537.36`],
    [
      'Safari on a phone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 12_0 like Mac OS X) ${safari} Version/12.0 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Chrome on a phone by Apple',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 14_0) ${safari} CriOS/90.0 Mobile/15E148 Safari/604.1`,
    ],
    ['Firefox on a phone', 'Mozilla/5.0 (Android 10; Mobile; rv:90.0) Gecko/90.0 Firefox/90.0'],
    ['SeaMonkey', 'Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0 SeaMonkey/2.53'],
    [
      'Edge on a phone',
      `Mozilla/5.0 (Linux; Android 10) ${blink} Chrome/90.0 Mobile Safari/537.36 EdgA/90.0`,
    ],
    [
      'Opera on a phone',
      `Mozilla/5.0 (Linux; Android 10) ${blink} Chrome/90.0 Mobile Safari/537.36 OPR/63.0`,
    ],
    ['a program', 'curl/8.5.0'],
    ['nothing', ''],
  ])('does not take %s for the desktop browser', (_, userAgent) => {
    expect(findBrowser(userAgent)).toBeUndefined()
  })

  it('parses a hostile user agent quickly', () => {
    const startedAt = threadCpuMs()
    for (const part of [
      'Opera/ ',
      'Trident/',
      'Android 1',
      ' Version/1',
      ' Chrome/1',
      'Firefox/1 (',
      'Windows Phone',
    ]) {
      findBrowser(part.repeat(500))
    }
    expect(threadCpuMs() - startedAt).toBeLessThan(500)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (userAgent) => findBrowser(userAgent) === undefined || true),
    )
  })
})
