import { describe, expect, it } from 'vitest'
import { listLostOptions, toProjectSettings, type SentryOptions } from './project-options.ts'

const rulesOf = (options: SentryOptions) => toProjectSettings(options).filters?.rules
const switches = (entries: Record<string, unknown>) => new Map(Object.entries(entries))
const allBrowsers = ['ie', 'edge', 'safari', 'firefox', 'chrome', 'opera', 'opera_mini', 'android']

describe('the switches of inbound filters', () => {
  it.each<[string, SentryOptions, Record<string, boolean>]>([
    ['of a tracker without any', {}, {}],
    [
      'without options, with the defaults of an old project',
      { switches: switches({}) },
      { 'browser-extensions': false, 'legacy-browsers': false },
    ],
    [
      'without options, with the defaults of a newer project',
      { switches: switches({}), optionEpoch: 6 },
      { 'browser-extensions': false, 'legacy-browsers': false, 'web-crawlers': false },
    ],
    [
      'that are all on',
      {
        switches: switches({
          'browser-extensions': '1',
          'legacy-browsers': allBrowsers,
          'web-crawlers': true,
          localhost: 1,
        }),
      },
      { localhost: true },
    ],
    [
      'that are all off',
      {
        switches: switches({
          'browser-extensions': '0',
          'legacy-browsers': [],
          'web-crawlers': false,
          localhost: '0',
          'react-hydration-errors': false,
          'chunk-load-error': '0',
          'filtered-transaction': 0,
        }),
        hasCspDefaults: false,
      },
      {
        'browser-extensions': false,
        'legacy-browsers': false,
        'web-crawlers': false,
        'react-hydration-errors': false,
        'chunk-load-error': false,
        'filtered-transaction': false,
        'invalid-csp': false,
      },
    ],
    [
      'of another type than Sentry writes',
      { switches: switches({ 'browser-extensions': {}, 'legacy-browsers': 'x', 'web-crawlers': null }) },
      { 'browser-extensions': false, 'legacy-browsers': false, 'web-crawlers': false },
    ],
  ])('%s become those that differ from the defaults here', (_name, options, expected) => {
    expect(rulesOf(options)).toEqual(expected)
  })
})

it('has allowed origins only if some are set', () => {
  expect(toProjectSettings({ origins: [] })).not.toHaveProperty('allowedOrigins')
  expect(toProjectSettings({ origins: 'shop.example' })).toMatchObject({ allowedOrigins: ['shop.example'] })
})

it('adds the scrubbing of the organization to that of the project', () => {
  const organization = {
    scrubs: true,
    sensitiveFields: ['passport'],
    safeFields: 'a\nb',
    scrubsAddresses: '1',
  }
  const own = { scrubs: false, sensitiveFields: 'iban, passport', safeFields: ['b'] }
  expect(toProjectSettings({ ...own, organization }).scrubbing).toMatchObject({
    isOn: true,
    fields: ['passport', 'iban'],
    excludedFields: ['a', 'b'],
    ipAddresses: 'remove',
  })
})

it('lists options without an equivalent setting', () => {
  expect(
    listLostOptions({ switches: switches({ 'legacy-browsers': allBrowsers }), piiConfig: '{}' }),
  ).toEqual([])
  expect(
    listLostOptions({
      switches: switches({ 'legacy-browsers': ['ie9'] }),
      piiConfig: { rules: {} },
      scrubsDefaults: false,
    }).map((text) => text.slice(0, 20)),
  ).toEqual(['its advanced scrubbi', 'scrubbing without th', 'its selection of leg'])
})
