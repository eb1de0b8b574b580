import { limits } from '#server/limits.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import type { CheckedPlan, CheckedProject } from './check-plan.ts'
import type { ImportCounts } from './import-project.ts'

export interface ReportOptions {
  /** The origin of this server, for DSNs. */
  origin: string
  /** True if issues can be imported: the source is not a backup. */
  hasIssues: boolean
  eventCount: number
}

/** The data that an import includes and leaves out, as text. */
export function toImportReport(
  { projects, newMembers, leftOut, plan }: CheckedPlan,
  options: ReportOptions,
): string {
  const lines = projects.flatMap((project) => toProjectLines(project, options))
  const known = plan.members.length - newMembers.length
  lines.push(
    '',
    `members   ${newMembers.length} new, ${known} known. "culvert user reset-password" prints a link for each.`,
  )
  if (options.hasIssues)
    lines.push(
      `issues    all of the last 90 days, each with its ${options.eventCount} newest events; releases`,
    )
  if (leftOut.length > 0) {
    lines.push('', 'Not imported:')
    for (const { project, text } of leftOut) lines.push(`  ${project === '' ? '' : `${project}: `}${text}`)
  }
  return `${lines.map(toPlainLine).join('\n')}\n`
}

const kinds: Readonly<Record<CheckedProject['kind'], string>> = {
  added: 'new',
  renumbered: 'new, with another id',
  existing: 'already exists',
}

function toProjectLines(
  { planned, kind, projectId, slug, newKeys, ruleNames }: CheckedProject,
  { origin }: ReportOptions,
): string[] {
  const lines = [
    `project   ${planned.id}  ${planned.sourceSlug}${slug === planned.sourceSlug ? '' : ` → ${slug}`}  (${kinds[kind]})`,
  ]
  if (kind === 'renumbered')
    lines.push(
      `          Project ${planned.id} already exists in Culvert. DSNs with that id and a key of this project keep working.`,
    )
  if (kind === 'existing' && projectId !== planned.id)
    lines.push(`          In Culvert it is project ${projectId}.`)
  for (const { publicKey, isActive } of newKeys)
    lines.push(
      `  DSN     ${toProjectDsn(origin, { publicKey, projectId: planned.id })}${isActive ? '' : '  (disabled)'}`,
    )
  if (ruleNames.length > 0) lines.push(`  rules   ${ruleNames.join(', ')}`)
  return lines
}

/** Texts of another tracker must not control the terminal. */
function toPlainLine(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
}

/** The result of the import of a project, as text. */
export function toCountsText({
  issues,
  comparedIssues,
  events,
  comments,
  releases,
  emptyIssues,
  unreadableEvents,
  cutReleases,
  cutIssues,
}: ImportCounts): string {
  const parts = [
    `${withNoun(issues, 'issue')} with ${withNoun(events, 'event')} and ${withNoun(comments, 'comment')}`,
    withNoun(releases, 'release'),
  ]
  if (comparedIssues > 0) parts.push(`${withNoun(comparedIssues, 'issue')} imported before, counts compared`)
  if (emptyIssues > 0) parts.push(`${withNoun(emptyIssues, 'issue')} without events omitted`)
  if (unreadableEvents > 0)
    parts.push(`${withNoun(unreadableEvents, 'event')} too large or nested too deeply omitted`)
  if (cutIssues > 0) parts.push(`there are more than ${limits.importedIssues} issues: the others are omitted`)
  if (cutReleases > 0)
    parts.push(`there are more than ${limits.importedReleases} releases: the others are omitted`)
  return parts.join(', ')
}

function withNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
