import { describe, expect, it } from 'vitest'
import fixture from '../../../test/fixtures/inbound-filters/browser-extensions.json' with { type: 'json' }
import { isFromBrowserExtension } from './browser-extensions.ts'
import type { FilterSubject } from './filter-subject.ts'

function thrownAt(...paths: (string | undefined)[]): FilterSubject {
  const frames = paths.map((absPath) => (absPath === undefined ? {} : { absPath }))
  return { type: 'error', exceptions: [{ stackTrace: { frames } }, {}, {}] }
}

describe('isFromBrowserExtension', () => {
  it.each(fixture.cases)('decides like Relay: $exception_value $frame_abs_path', (filterCase) => {
    const {
      exception_value: value,
      frame_abs_path: path,
      filtered,
      trailing_anonymous_frames: count = 0,
    } = filterCase
    const subject: FilterSubject =
      path === undefined
        ? { type: 'error', exceptions: [value === undefined ? {} : { value }, {}, {}] }
        : thrownAt(path, ...Array.from({ length: count }, () => '<anonymous>'))
    expect(isFromBrowserExtension(subject)).toBe(filtered)
  })

  it('checks the throwing frame, not its callers', () => {
    expect(isFromBrowserExtension(thrownAt('chrome-extension://abc/a.js', 'https://shop.test/a.js'))).toBe(
      false,
    )
    expect(isFromBrowserExtension(thrownAt('https://shop.test/a.js', 'chrome-extension://abc/a.js'))).toBe(
      true,
    )
    expect(isFromBrowserExtension(thrownAt('chrome-extension://abc/a.js', undefined))).toBe(false)
    expect(isFromBrowserExtension(thrownAt('chrome-extension://abc/a.js', '[native code]'))).toBe(true)
  })

  it('matches a scheme only at the start', () => {
    expect(isFromBrowserExtension(thrownAt('https://shop.test/?from=chrome-extension://abc'))).toBe(false)
  })

  it('checks the first exception only', () => {
    expect(
      isFromBrowserExtension({ type: 'error', exceptions: [{ value: 'mine' }, { value: 'fb_xd_fragment' }] }),
    ).toBe(false)
  })

  it('keeps events without an exception', () => {
    expect(isFromBrowserExtension({ type: 'default', exceptions: [] })).toBe(false)
    expect(isFromBrowserExtension({ type: 'transaction' })).toBe(false)
  })
})
