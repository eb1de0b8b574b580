import type { ScrubRule } from './scrub-rule.ts'

/** The scrubbing settings of a project, applied before its events are stored. */
export interface ScrubSettings {
  /** False stores events as they were sent, except for `ipAddresses`. */
  isOn: boolean
  /** Rules that differ from their defaults (`scrubRules`). */
  rules: { readonly [Rule in ScrubRule]?: boolean }
  /**
   * Further names whose values are secret (Relay's "sensitive fields"). A field is meant when its name
   * contains one of them; upper case and separators do not count.
   */
  fields: readonly string[]
  /**
   * Names that are left alone with everything under them (Relay's "safe fields"): whole names, otherwise as
   * `fields`.
   */
  excludedFields: readonly string[]
  /**
   * `remove` empties the fields that hold addresses, marks addresses in texts, and stores no sender's
   * address.
   */
  ipAddresses: 'keep' | 'remove'
}

/** Settings of a project that has chosen nothing: Relay's defaults. */
export const defaultScrubSettings: ScrubSettings = {
  isOn: true,
  rules: {},
  fields: [],
  excludedFields: [],
  ipAddresses: 'keep',
}
