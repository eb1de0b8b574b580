import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import type { ImportPlan, LeftOut, PlannedKey, PlannedMember, PlannedProject } from '#server/import/plan.ts'
import { limits } from '#server/limits.ts'
import { listUnreadRows, readDumpOptions, type DumpRows } from './dump-options.ts'
import { countOf, projectIdOf, publicKeyOf, foreignText, parseForeignJson } from './fields.ts'
import { listLostOptions, toProjectSettings } from './project-options.ts'
import { toDumpRule } from './sentry-rules.ts'

/**
 * Parses a backup of a self-hosted Sentry: `sentry export organizations` or `global`. It contains projects,
 * keys, options, rules and members, but neither issues nor events. Throws an `OperatorError` for any other
 * file. https://develop.sentry.dev/self-hosted/backup/
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
  const optionsOf = readDumpOptions(rows)
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
    const options = optionsOf(pk, foreignText(fields, 'organization'))
    leftOut.push(...listLostOptions(options).map((lost) => ({ project: sourceSlug, text: lost })))
    return [
      {
        id,
        sourceSlug,
        organizationSlug,
        name: foreignText(fields, 'name') || sourceSlug,
        platform: foreignText(fields, 'platform') || undefined,
        keys: readKeys(rows, { projectId: pk, slug: sourceSlug }, leftOut),
        settings: toProjectSettings(options),
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
  leftOut.push(...listUnreadRows(rows).map((unread) => ({ project: '', text: unread })))
  return { projects, members: readMembers(rows, new Set(slugs.keys()), leftOut), leftOut }
}

function parseRows(text: string): DumpRows {
  const start = text.trimStart().slice(0, 1)
  if (start !== '[') {
    throw new OperatorError(
      'The file is not a backup of Sentry: it must be a JSON list. Decrypt an encrypted one first, with "sentry backup decrypt FILE.json --src FILE.tar --decrypt-with KEY.pem".',
    )
  }
  let value: unknown
  try {
    value = parseForeignJson(text)
  } catch (error) {
    throw new OperatorError(
      `The file is damaged or incomplete: ${errorMessage(error)}. Nothing was imported.`,
    )
  }
  const rows = new Map<string, { pk: string; fields: JsonObject }[]>()
  const list: unknown[] = Array.isArray(value) ? value : []
  for (const row of list) {
    if (!isJsonObject(row) || typeof row['model'] !== 'string' || !isJsonObject(row['fields'])) {
      throw new OperatorError('The file is not a backup of Sentry: an entry has no "model" and "fields".')
    }
    const known = rows.get(row['model']) ?? []
    known.push({ pk: foreignText(row, 'pk'), fields: row['fields'] })
    rows.set(row['model'], known)
  }
  return rows
}

function readKeys(
  rows: DumpRows,
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

function environmentName(rows: DumpRows, rule: JsonObject): string | undefined {
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

function readMembers(
  rows: DumpRows,
  organizations: ReadonlySet<string>,
  leftOut: LeftOut[],
): PlannedMember[] {
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
  if (members.length > limits.importedMembers)
    leftOut.push({ project: '', text: `members: only the first ${limits.importedMembers} are imported` })
  return members.slice(0, limits.importedMembers)
}
