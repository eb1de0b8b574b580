import type { ProjectExpiry, RetentionReport, SpaceResult } from '#server/retention/run-report.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { RetentionSettings } from '#server/store/projects/settings.ts'
import { sizeText } from '../size-text.ts'

/** Formats a project's retention on one line. */
export function toRetentionLine({ id, name }: ProjectName, { days, events }: RetentionSettings): string {
  return `${id} ${name}: ${days} days, at most ${events} events\n`
}

/** Formats the result of a run or a dry run. */
export function toRetentionReport(report: RetentionReport, projects: readonly ProjectName[]): string {
  return [...toProjectLines(report, projects), ...toOtherLines(report)].map((line) => `${line}\n`).join('')
}

/** Formats the errors of projects, by id. */
export function toFailureText(
  problems: ReadonlyMap<number, string>,
  projects: readonly ProjectName[],
): string {
  const lines = [...problems].map(([id, problem]) => {
    const name = projects.find((project) => project.id === id)?.name ?? ''
    return `Retention of ${id} ${name} failed: ${problem}`
  })
  return [...lines, 'The other projects are done. The server retries in its next run.'].join('\n')
}

function toProjectLines({ projects, isDryRun }: RetentionReport, names: readonly ProjectName[]): string[] {
  if (projects.size === 0) return [isDryRun ? 'No event would be deleted.' : 'No event was deleted.']
  const lines = [...projects].map(([id, { events, rows, issueCount }]) => {
    const name = names.find((project) => project.id === id)?.name ?? ''
    const { age, count, bytes, deleted } = events
    return (
      `${id} ${name}: events ${age} too old, ${count} too many, ${bytes} to free space` +
      `${deleted > 0 ? `, ${deleted} of deleted issues` : ''}; ` +
      `issues without events ${issueCount}${toRowsText(rows)}`
    )
  })
  return [isDryRun ? 'Would be deleted:' : 'Deleted:', ...lines.map((line) => `  ${line}`)]
}

const rowNames = [
  ['outbox', 'queued envelopes'],
  ['attachments', 'attachments'],
  ['deadLetters', 'dead letters'],
] as const

/** Rows other than events that were deleted to free space. */
function toRowsText(rows: ProjectExpiry['rows'] = {}): string {
  const texts = rowNames.flatMap(([kind, name]) =>
    rows[kind] === undefined ? [] : [`${name} ${rows[kind]}`],
  )
  return texts.length === 0 ? '' : `; to free space: ${texts.join(', ')}`
}

function toOtherLines(report: RetentionReport): string[] {
  const { rowCounts, usedBytesBefore, usedBytesAfter, byteLimit, returnedBytes } = report
  const rows = [...rowCounts].map(([table, count]) => `${table} ${count}`)
  const about = report.isDryRun ? 'about ' : ''
  return [
    ...(rows.length > 0 ? [`Other rows: ${rows.join(', ')}`] : []),
    `In use: ${sizeText(usedBytesBefore)} before, ${about}${sizeText(usedBytesAfter)} after, ${sizeText(byteLimit)} at most`,
    ...(hasGivenSpace(report) ? [fairness] : []),
    ...(returnedBytes > 0 ? [`Returned to the file system: ${sizeText(returnedBytes)}`] : []),
    ...(report.damagedBlockCount > 0
      ? [`Left alone because they cannot be read: ${report.damagedBlockCount} blocks. See "culvert doctor".`]
      : []),
    ...spaceLines[report.space],
    ...(report.isClockTrusted ? [] : [doubtedClock]),
  ]
}

const spaceLines: Record<SpaceResult, string[]> = {
  within: [],
  behind: [
    'That is over the limit, because new data arrived. Run the command again, or leave it to the server.',
  ],
  exhausted: ['That is over the limit, although everything that can be deleted has been.'],
}

const fairness = 'Space was low: the oldest data of the largest projects was deleted, down to a common size.'

function hasGivenSpace({ projects, isDryRun }: RetentionReport): boolean {
  return !isDryRun && projects.values().some(({ events, rows }) => events.bytes > 0 || rows !== undefined)
}

const doubtedClock =
  'Age-based retention was skipped: the clock jumped far ahead. If it is correct, add --trust-clock.'
