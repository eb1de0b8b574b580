/** The packages that a layer may import. */
type Packages =
  /** Only `packageNames`. */
  | 'none'
  /** Packages that run in a browser. */
  | 'browser'
  /** The same without data loading. */
  | 'components'
  /** Packages without React and the router. */
  | 'server'
  /** The same without networking. */
  | 'store'
  /** `server` and server functions. */
  | 'start'
  | 'any'

/** A row of the table "Import rules" in ARCHITECTURE.md. Paths are relative to `src`. */
export interface Layer {
  name: string
  files: readonly string[]
  /** Files in it that belong to another layer. */
  except?: readonly string[]
  /** Names of layers, or paths of files in them. */
  may: readonly string[]
  /** The same, for types only. */
  types?: readonly string[]
  packages: Packages
  packageNames?: readonly string[]
  /** Uses no clock, randomness, timers or environment. */
  isPure?: true
  /** Does not even import `app.config.ts`. */
  isClosed?: true
}
