import { type NoiseRule, noiseRules } from '#monitoring/noise-filter.ts'

/** Relay's keys of its inbound filters: what outcomes say in Sentry as well. */
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

/** Why an event was filtered: the reason its drop is counted under, with outcome `filtered`. */
export type FilterReason = NoiseRule | (typeof inboundReasons)[number]

/** All reasons, in the order the filters are asked. */
export const filterReasons: readonly FilterReason[] = [...noiseRules, ...inboundReasons]
