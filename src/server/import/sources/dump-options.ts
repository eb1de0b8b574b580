import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { foreignText, parseForeignJson } from './fields.ts'
import type { SentryOptions } from './project-options.ts'

/** Rows of Django's serializer, by model. */
export type DumpRows = ReadonlyMap<string, readonly { pk: string; fields: JsonObject }[]>

/** Reads the options of a project by its id and its organization's. Their values are JSON in texts. */
export function readDumpOptions(rows: DumpRows) {
  const projects = groupValues(rows, 'sentry.projectoption', 'project')
  const organizations = groupValues(rows, 'sentry.organizationoption', 'organization')
  const ownerships = new Map(
    (rows.get('sentry.projectownership') ?? []).map(({ fields }) => [foreignText(fields, 'project'), fields]),
  )
  return (projectId: string, organizationId: string): SentryOptions => {
    const values = projects.get(projectId) ?? new Map<string, unknown>()
    const shared = organizations.get(organizationId) ?? new Map<string, unknown>()
    const ownership = ownerships.get(projectId)
    return {
      origins: values.get('sentry:origins'),
      blockedAddresses: values.get('sentry:blacklisted_ips'),
      releases: values.get('sentry:releases'),
      errorMessages: values.get('sentry:error_messages'),
      cspSources: values.get('sentry:csp_ignored_sources'),
      hasCspDefaults: values.get('sentry:csp_ignored_sources_defaults'),
      switches: new Map(
        [...values].flatMap(([key, value]): [string, unknown][] =>
          key.startsWith('filters:') ? [[key.slice('filters:'.length), value]] : [],
        ),
      ),
      optionEpoch: values.get('sentry:option-epoch'),
      fingerprintingRules: values.get('sentry:fingerprinting_rules'),
      groupingEnhancements: values.get('sentry:grouping_enhancements'),
      scrubs: values.get('sentry:scrub_data'),
      sensitiveFields: values.get('sentry:sensitive_fields'),
      safeFields: values.get('sentry:safe_fields'),
      scrubsAddresses: values.get('sentry:scrub_ip_address'),
      scrubsDefaults: values.get('sentry:scrub_defaults'),
      piiConfig: values.get('sentry:relay_pii_config'),
      organization: {
        scrubs: shared.get('sentry:require_scrub_data'),
        sensitiveFields: shared.get('sentry:sensitive_fields'),
        safeFields: shared.get('sentry:safe_fields'),
        scrubsAddresses: shared.get('sentry:require_scrub_ip_address'),
      },
      ownership: ownership?.['raw'],
      isAutoAssigned: ownership?.['auto_assignment'],
    }
  }
}

function groupValues(rows: DumpRows, model: string, owner: string): Map<string, Map<string, unknown>> {
  const groups = new Map<string, Map<string, unknown>>()
  for (const { fields } of rows.get(model) ?? []) {
    const id = foreignText(fields, owner)
    const values = groups.get(id) ?? new Map<string, unknown>()
    groups.set(id, values.set(foreignText(fields, 'key'), parseValue(fields['value'])))
  }
  return groups
}

function parseValue(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseForeignJson(value)
  } catch {
    return value
  }
}

const readModels = new Set([
  'sentry.projectoption',
  'sentry.organizationoption',
  'sentry.organization',
  'sentry.organizationmember',
  'sentry.user',
  'sentry.environment',
  'sentry.project',
  'sentry.projectkey',
  'sentry.projectownership',
  'sentry.rule',
])

/** Includes the option that is reported for each project. */
const readProjectOptions = new Set([
  'sentry:relay_pii_config',
  'sentry:origins',
  'sentry:blacklisted_ips',
  'sentry:releases',
  'sentry:error_messages',
  'sentry:csp_ignored_sources',
  'sentry:csp_ignored_sources_defaults',
  'sentry:option-epoch',
  'sentry:fingerprinting_rules',
  'sentry:grouping_enhancements',
  'sentry:scrub_data',
  'sentry:sensitive_fields',
  'sentry:safe_fields',
  'sentry:scrub_ip_address',
  'sentry:scrub_defaults',
  'filters:browser-extensions',
  'filters:legacy-browsers',
  'filters:web-crawlers',
  'filters:localhost',
  'filters:react-hydration-errors',
  'filters:chunk-load-error',
  'filters:filtered-transaction',
])

const readOrganizationOptions = new Set([
  'sentry:require_scrub_data',
  'sentry:sensitive_fields',
  'sentry:safe_fields',
  'sentry:require_scrub_ip_address',
])

/** Data of the file that an import ignores, by model and by the key of options, with counts. */
export function listUnreadRows(rows: DumpRows): string[] {
  const models = new Map<string, number>()
  for (const [model, list] of rows) if (!readModels.has(model)) models.set(model, list.length)
  const ofProjects = countKeys(rows.get('sentry.projectoption') ?? [], readProjectOptions)
  const ofOrganizations = countKeys(rows.get('sentry.organizationoption') ?? [], readOrganizationOptions)
  const named: [string, Map<string, number>][] = [
    ['data of the backup', models],
    ['options of projects', ofProjects],
    ['options of organizations', ofOrganizations],
  ]
  return named.flatMap(([name, counts]) => (counts.size === 0 ? [] : [`${name}: ${toCountedNames(counts)}`]))
}

function countKeys(list: readonly { fields: JsonObject }[], known: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { fields } of list) {
    const key = foreignText(fields, 'key')
    if (!known.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** The file may be hostile, so the number of names is limited. */
function toCountedNames(counts: ReadonlyMap<string, number>): string {
  const names = [...counts.keys()].toSorted()
  const shown = names
    .slice(0, limits.reportedNames)
    .map((name) => `${name.slice(0, limits.reportedNameCharacters)} (${counts.get(name) ?? 0})`)
  const more = names.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} others`] : [])].join(', ')
}
