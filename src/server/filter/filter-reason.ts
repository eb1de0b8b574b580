import { type NoiseRule, noiseRules } from '#monitoring/noise-filter.ts'

/** Relay's names of its inbound filters, as in Sentry's outcomes. */
const inboundReasons = [
  'chunk-load-error',
  'react-hydration-errors',
  'invalid-csp',
  'ip-address',
  'release-version',
  'error-message',
  'localhost',
  'browser-extensions',
  'legacy-browsers',
  'web-crawlers',
  'filtered-transaction',
] as const

/** The reason of a `filtered` outcome. */
export type FilterReason = NoiseRule | (typeof inboundReasons)[number]

/** All reasons, in the order of the filters. */
export const filterReasons: readonly FilterReason[] = [...noiseRules, ...inboundReasons]
