import type { ProjectSettings } from '#server/store/projects/settings.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import { linesOf } from './fields.ts'

/** Options of a Sentry project, under one name for both of its formats. Values are not yet checked. */
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
  /** Ownership rules. */
  ownership?: unknown
  isAutoAssigned?: unknown
}

/** The settings that Sentry's options are here. */
export function toProjectSettings(options: SentryOptions): Partial<ProjectSettings> {
  const { filters, grouping, scrubbing, ownership } = defaultProjectSettings
  const origins = linesOf(options.origins)
  return {
    ...(origins.length > 0 && { allowedOrigins: origins }),
    filters: {
      ...filters,
      clientAddresses: linesOf(options.blockedAddresses),
      releases: linesOf(options.releases),
      errorMessages: linesOf(options.errorMessages),
    },
    grouping: {
      ...grouping,
      fingerprintRules: text(options.fingerprintingRules),
      stackTraceRules: text(options.groupingEnhancements),
    },
    scrubbing: {
      ...scrubbing,
      isOn: isTrue(options.scrubs ?? true),
      fields: linesOf(options.sensitiveFields),
      excludedFields: linesOf(options.safeFields),
      ipAddresses: isTrue(options.scrubsAddresses) ? 'remove' : 'keep',
    },
    ownership: {
      ...ownership,
      rules: text(options.ownership),
      isAutoAssigned: isTrue(options.isAutoAssigned),
    },
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'Auto Assign to Issue Owner'
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
