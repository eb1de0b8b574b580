import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import type { ImportPlan, LeftOut, PlannedKey, PlannedMember, PlannedProject } from '#server/import/plan.ts'
import { limits } from '#server/limits.ts'
import { countOf, projectIdOf, publicKeyOf, foreignText } from './fields.ts'
import { toProjectSettings } from './project-options.ts'
import { toDumpRule } from './sentry-rules.ts'

/** Rows of Django's serializer, by model. */
type Rows = Map<string, { pk: string; fields: JsonObject }[]>

/**
 * Reads a backup of a self-hosted Sentry: `sentry export organizations` or `global`. It has projects, keys,
 * options, rules and members; issues and events are not in it. Throws an `OperatorError` for anything else.
 * https://develop.sentry.dev/self-hosted/backup/
 */
export function readSentryDump(text: string, organization?: string): ImportPlan {
  const rows = parseRows(text)
  const listOf = (model: string) => rows.get(model) ?? []
  const organizations = listOf('sentry.organization').filter(
    ({ fields }) => organization === undefined || fields['slug'] === organization,
  )
  if (organizations.length === 0) {
    const slugs = listOf('sentry.organization').map(({ fields }) => foreignText(fields, 'slug'))
    throw new OperatorError(
      organization === undefined
        ? 'The file has no organization. Export one with "sentry export organizations".'
        : `The file has no organization ${JSON.stringify(organization)}. It has ${slugs.join(', ') || 'none'}.`,
    )
  }
  const leftOut: LeftOut[] = []
  const slugs = new Map(organizations.map(({ pk, fields }) => [pk, foreignText(fields, 'slug')]))
  const options = readOptions(rows)
  const projects = listOf('sentry.project').flatMap(({ pk, fields }): PlannedProject[] => {
    const organizationSlug = slugs.get(foreignText(fields, 'organization'))
    const sourceSlug = foreignText(fields, 'slug')
    if (organizationSlug === undefined) return []
    const id = projectIdOf(pk)
    if (id === undefined || sourceSlug === '') {
      leftOut.push({
        project: sourceSlug,
        text: `the project ${JSON.stringify(pk)} has no usable id or slug`,
      })
      return []
    }
    if ((countOf(fields, 'status') ?? 0) !== 0) {
      leftOut.push({ project: sourceSlug, text: 'the project is being deleted' })
      return []
    }
    return [
      {
        id,
        sourceSlug,
        organizationSlug,
        name: foreignText(fields, 'name') || sourceSlug,
        platform: foreignText(fields, 'platform') || undefined,
        keys: readKeys(rows, { projectId: pk, slug: sourceSlug }, leftOut),
        settings: toProjectSettings(options(pk)),
        rules: listOf('sentry.rule')
          .filter((rule) => foreignText(rule.fields, 'project') === pk)
          .map((rule) => toDumpRule(rule.fields, environmentName(rows, rule.fields))),
      },
    ]
  })
  if (projects.length > limits.importedProjects)
    throw new OperatorError(
      `The file has ${projects.length} projects. ${limits.importedProjects} can be imported.`,
    )
  leftOut.push({
    project: '',
    text: 'issues, events and releases: a backup has none; use the web API for them',
  })
  return { projects, members: readMembers(rows, new Set(slugs.keys())), leftOut }
}

function parseRows(text: string): Rows {
  const start = text.trimStart().slice(0, 1)
  if (start !== '[') {
    throw new OperatorError(
      'The file is no backup of Sentry: it must be a JSON list. Decrypt an encrypted one first, with "sentry export decrypt".',
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new OperatorError(
      `The file is damaged or was written only in part: ${errorMessage(error)}. Nothing was imported.`,
    )
  }
  const rows: Rows = new Map()
  const list: unknown[] = Array.isArray(value) ? value : []
  for (const row of list) {
    if (!isJsonObject(row) || typeof row['model'] !== 'string' || !isJsonObject(row['fields'])) {
      throw new OperatorError('The file is no backup of Sentry: an entry has no "model" and "fields".')
    }
    const known = rows.get(row['model']) ?? []
    known.push({ pk: foreignText(row, 'pk'), fields: row['fields'] })
    rows.set(row['model'], known)
  }
  return rows
}

function readKeys(
  rows: Rows,
  project: { projectId: string; slug: string },
  leftOut: LeftOut[],
): PlannedKey[] {
  return (rows.get('sentry.projectkey') ?? []).flatMap(({ fields }): PlannedKey[] => {
    if (foreignText(fields, 'project') !== project.projectId) return []
    const publicKey = publicKeyOf(foreignText(fields, 'public_key'))
    if (publicKey === undefined) {
      leftOut.push({ project: project.slug, text: 'a key that is not 32 hexadecimal digits' })
      return []
    }
    const quantity = countOf(fields, 'rate_limit_count')
    const windowSeconds = countOf(fields, 'rate_limit_window')
    return [
      {
        publicKey,
        label: foreignText(fields, 'label') || 'Default',
        isActive: (countOf(fields, 'status') ?? 0) === 0,
        ...(quantity !== undefined && windowSeconds && { rateLimit: { quantity, windowSeconds } }),
      },
    ]
  })
}

/** The options of a project by its id. Their values are JSON in texts. */
function readOptions(rows: Rows) {
  const byProject = Map.groupBy(rows.get('sentry.projectoption') ?? [], ({ fields }) =>
    foreignText(fields, 'project'),
  )
  const ownerships = new Map(
    (rows.get('sentry.projectownership') ?? []).map(({ fields }) => [foreignText(fields, 'project'), fields]),
  )
  return (projectId: string) => {
    const values = new Map(
      (byProject.get(projectId) ?? []).map(({ fields }) => [
        foreignText(fields, 'key'),
        parseValue(fields['value']),
      ]),
    )
    const ownership = ownerships.get(projectId)
    return {
      origins: values.get('sentry:origins'),
      blockedAddresses: values.get('sentry:blacklisted_ips'),
      releases: values.get('sentry:releases'),
      errorMessages: values.get('sentry:error_messages'),
      fingerprintingRules: values.get('sentry:fingerprinting_rules'),
      groupingEnhancements: values.get('sentry:grouping_enhancements'),
      scrubs: values.get('sentry:scrub_data'),
      sensitiveFields: values.get('sentry:sensitive_fields'),
      safeFields: values.get('sentry:safe_fields'),
      scrubsAddresses: values.get('sentry:scrub_ip_address'),
      ownership: ownership?.['raw'],
      isAutoAssigned: ownership?.['auto_assignment'],
    }
  }
}

function parseValue(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function environmentName(rows: Rows, rule: JsonObject): string | undefined {
  const id = foreignText(rule, 'environment_id') || foreignText(rule, 'environment')
  const found = (rows.get('sentry.environment') ?? []).find(({ pk }) => pk === id)
  return found && foreignText(found.fields, 'name')
}

/** Roles by Sentry's names. */
export const roleOf: Readonly<Record<string, PlannedMember['role']>> = {
  owner: 'owner',
  manager: 'admin',
  admin: 'admin',
  member: 'member',
  billing: 'viewer',
}

function readMembers(rows: Rows, organizations: ReadonlySet<string>): PlannedMember[] {
  const users = new Map((rows.get('sentry.user') ?? []).map(({ pk, fields }) => [pk, fields]))
  const members = (rows.get('sentry.organizationmember') ?? []).flatMap(({ fields }): PlannedMember[] => {
    if (!organizations.has(foreignText(fields, 'organization'))) return []
    const sourceUserId = foreignText(fields, 'user_id') || foreignText(fields, 'user') || undefined
    const user = users.get(sourceUserId ?? '') ?? {}
    const email =
      foreignText(fields, 'email') || foreignText(fields, 'user_email') || foreignText(user, 'email')
    if (email === '') return []
    const role = roleOf[foreignText(fields, 'role')] ?? 'member'
    return [{ sourceUserId, email: email.toLowerCase(), name: foreignText(user, 'name') || email, role }]
  })
  return members.slice(0, limits.importedMembers)
}
