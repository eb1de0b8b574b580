import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/legacy-browsers.json' with { type: 'json' }
import { isLegacyBrowser, type LegacyBrowser, legacyVersions } from './legacy-browsers.ts'

function isLegacy(userAgent: string, ...names: LegacyBrowser[]): boolean {
  return isLegacyBrowser(
    userAgent,
    names.flatMap((name) => legacyVersions[name]),
  )
}

function chrome(version: number): string {
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
}

describe('isLegacyBrowser', () => {
  it.each(fixture.cases)('decides like Relay: $name with $filters', ({ user_agent, filters, filtered }) => {
    expect(isLegacy(user_agent, ...(filters as LegacyBrowser[]))).toBe(filtered)
  })

  it('recognizes current names', () => {
    expect(isLegacy(chrome(110), 'chrome')).toBe(true)
    expect(isLegacy(chrome(111), 'chrome')).toBe(false)
    expect(isLegacy(chrome(110), 'firefox', 'edge', 'safari')).toBe(false)
    expect(isLegacy('Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko', 'ie')).toBe(true)
    expect(
      isLegacy('Mozilla/5.0 (X11; Linux x86_64; rv:110.0) Gecko/20100101 Firefox/110.0', 'firefox'),
    ).toBe(true)
    expect(
      isLegacy('Mozilla/5.0 (X11; Linux x86_64; rv:111.0) Gecko/20100101 Firefox/111.0', 'firefox'),
    ).toBe(false)
  })

  it('is off without a name', () => {
    expect(isLegacy(chrome(1))).toBe(false)
  })

  it('ignores crawlers with the user agent of an old browser', () => {
    expect(isLegacy(`Better Uptime Bot ${chrome(74)}`, 'chrome')).toBe(false)
  })
})
