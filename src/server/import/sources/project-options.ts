import type { FilterReason } from '#server/filter/filter-reason.ts'
import { isOnByDefault } from '#server/filter/project-filters.ts'
import { defaultProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import { linesOf } from './fields.ts'

/** Options of a Sentry project, with the same names for both of its formats. Values are not validated yet. */
export interface SentryOptions {
  origins?: unknown
  blockedAddresses?: unknown
  releases?: unknown
  errorMessages?: unknown
  fingerprintingRules?: unknown
  groupingEnhancements?: unknown
  scrubs?: unknown
  sensitiveFields?: unknown
  safeFields?: unknown
  scrubsAddresses?: unknown
  /** False: only the project's own fields are scrubbed. */
  scrubsDefaults?: unknown
  /** Advanced scrubbing rules. */
  piiConfig?: unknown
  /** Ownership rules. */
  ownership?: unknown
  isAutoAssigned?: unknown
  /** Sources of ignored CSP reports, in addition to the built-in ones. */
  cspSources?: unknown
  hasCspDefaults?: unknown
  /** Inbound filters by Sentry's names; absent if the tracker has none. */
  switches?: ReadonlyMap<string, unknown>
  /** The version of the defaults with which the project was created. */
  optionEpoch?: unknown
  /** Settings for all projects of the organization. */
  organization?: Pick<SentryOptions, 'scrubs' | 'sensitiveFields' | 'safeFields' | 'scrubsAddresses'>
}

/** Converts Sentry's options to Culvert's settings. */
export function toProjectSettings(options: SentryOptions): Partial<ProjectSettings> {
  const { filters, grouping, scrubbing, ownership } = defaultProjectSettings
  const { organization = {} } = options
  const origins = linesOf(options.origins)
  return {
    ...(origins.length > 0 && { allowedOrigins: origins }),
    filters: {
      ...filters,
      rules: toRules(options),
      clientAddresses: linesOf(options.blockedAddresses),
      releases: linesOf(options.releases),
      errorMessages: linesOf(options.errorMessages),
      cspSources: linesOf(options.cspSources),
    },
    grouping: {
      ...grouping,
      fingerprintRules: text(options.fingerprintingRules),
      stackTraceRules: text(options.groupingEnhancements),
    },
    scrubbing: {
      ...scrubbing,
      isOn: isTrue(organization.scrubs) || isTrue(options.scrubs ?? true),
      fields: joinedLines(organization.sensitiveFields, options.sensitiveFields),
      excludedFields: joinedLines(organization.safeFields, options.safeFields),
      ipAddresses:
        isTrue(organization.scrubsAddresses) || isTrue(options.scrubsAddresses) ? 'remove' : 'keep',
    },
    ownership: {
      ...ownership,
      rules: text(options.ownership),
      isAutoAssigned: isTrue(options.isAutoAssigned),
    },
  }
}

/** Options without an equivalent in Culvert. */
export function listLostOptions(options: SentryOptions): string[] {
  const lost: string[] = []
  if (isSet(options.piiConfig)) lost.push('its advanced scrubbing rules (relay_pii_config)')
  if (isFalse(options.scrubsDefaults))
    lost.push('scrubbing without the default rules (scrub_defaults): Culvert enables them')
  const browsers = options.switches?.get('legacy-browsers')
  if (Array.isArray(browsers) && browsers.length > 0 && !hasAllBrowsers(browsers))
    lost.push('its selection of legacy browsers: Culvert filters all or none, and this project none')
  return lost
}

/** Sentry's names of filters, which are the same here, with their state if the option is absent. */
const switchDefaults: readonly (readonly [FilterReason, boolean])[] = [
  ['browser-extensions', false],
  ['legacy-browsers', false],
  ['web-crawlers', false],
  ['localhost', false],
  ['react-hydration-errors', true],
  ['chunk-load-error', true],
  ['filtered-transaction', true],
]

/** The filters that differ from the defaults here: events that the other tracker has are kept. */
function toRules(options: SentryOptions): Record<string, boolean> {
  const { switches, optionEpoch, cspSources, hasCspDefaults } = options
  if (switches === undefined) return {}
  const rules = switchDefaults.map(([reason, isOnWithout]): [FilterReason, boolean] => {
    const value = switches.get(reason)
    if (value !== undefined) return [reason, isSwitchOn(value)]
    return [reason, reason === 'web-crawlers' ? hadCrawlerFilter(optionEpoch) : isOnWithout]
  })
  rules.push(['invalid-csp', !isFalse(hasCspDefaults) || linesOf(cspSources).length > 0])
  return Object.fromEntries(rules.filter(([reason, isOn]) => isOn !== isOnByDefault(reason)))
}

/** Until version 6 of its defaults Sentry dropped events of web crawlers. */
function hadCrawlerFilter(optionEpoch: unknown): boolean {
  const epoch = Number(optionEpoch)
  return !(epoch >= 6)
}

function isSwitchOn(value: unknown): boolean {
  return Array.isArray(value) ? hasAllBrowsers(value) : isTrue(value)
}

/** The browsers of Sentry's filter, one by one. */
const legacyBrowsers = ['ie', 'edge', 'safari', 'firefox', 'chrome', 'opera', 'opera_mini', 'android']

function hasAllBrowsers(chosen: readonly unknown[]): boolean {
  return legacyBrowsers.every((browser) => chosen.includes(browser))
}

function joinedLines(...lists: readonly unknown[]): string[] {
  return [...new Set(lists.flatMap(linesOf))]
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'Auto Assign to Issue Owner'
}

function isFalse(value: unknown): boolean {
  return value === false || value === 0 || value === '0'
}

/** Scrubbing rules are JSON in a text, or an object; without any they are `{}` or empty. */
function isSet(value: unknown): boolean {
  if (typeof value === 'string') return !['', '{}'].includes(value.trim())
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
