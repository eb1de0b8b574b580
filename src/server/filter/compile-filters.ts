import type { BlockList } from 'node:net'
import { compileAddresses } from './client-addresses.ts'
import type { FilterSettings } from './filter-settings.ts'
import { compileGlobs, type GlobSet } from './glob.ts'
import { type LegacyVersions, legacyVersions } from './legacy-browsers.ts'
import { type OriginPattern, parseOriginPattern } from './origin-pattern.ts'

/** The compiled patterns of a project. */
export interface CompiledFilters {
  settings: FilterSettings
  cspSources: readonly OriginPattern[]
  /** Absent if no address is blocked: checking an empty list takes half a microsecond. */
  clientAddresses?: BlockList
  releases: GlobSet
  errorMessages: GlobSet
  legacyBrowsers: readonly LegacyVersions[]
  transactions: GlobSet
}

/** Compiles the patterns of the settings. */
export function compileFilters(settings: FilterSettings): CompiledFilters {
  const clientAddresses = compileAddresses(settings.clientAddresses)
  return {
    settings,
    cspSources: settings.cspSources.map(parseOriginPattern),
    clientAddresses,
    releases: compileGlobs(settings.releases),
    errorMessages: compileGlobs(settings.errorMessages),
    legacyBrowsers: settings.legacyBrowsers.flatMap((name) => legacyVersions[name]),
    transactions: compileGlobs(settings.transactions),
  }
}
