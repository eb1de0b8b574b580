import type { ScrubRule } from './scrub-rule.ts'

/** The scrubbing settings of a project, applied before its events are stored. */
export interface ScrubSettings {
  /** False stores events as they were sent, except for `ipAddresses`. */
  isOn: boolean
  /** Rules that differ from their defaults (`scrubRules`). */
  rules: { readonly [Rule in ScrubRule]?: boolean }
  /**
   * Additional names of secret values (Relay's "sensitive fields"). A name matches if it contains one of
   * them, without case and separators.
   */
  fields: readonly string[]
  /**
   * Names that are excluded with everything under them (Relay's "safe fields"): whole names, otherwise
   * compared like `fields`.
   */
  excludedFields: readonly string[]
  /**
   * `remove` empties the fields that contain addresses, marks addresses in texts, and does not store the
   * sender's address.
   */
  ipAddresses: 'keep' | 'remove'
}

/** The default settings, as in Relay. */
export const defaultScrubSettings: ScrubSettings = {
  isOn: true,
  rules: {},
  fields: [],
  excludedFields: [],
  ipAddresses: 'keep',
}
