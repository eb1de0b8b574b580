import { limits } from '#server/limits.ts'
import type { IngestStatements } from './ingest-statements.ts'
import type { IssueTally, TagTally } from './issue-tally.ts'
import type { ProjectTally, SeenTally } from './project-tally.ts'

/** The value under which the events of all values past `limits.tagValuesPerIssueKey` are counted. */
const otherTagValue = '(other)'

/**
 * How many values an issue's tag key has, as far as known: counting up to a thousand rows for every new value of a
 * busy key would cost more than storing the event.
 */
export type TagValueCounts = Map<string, number>

/** Keys remembered; forgotten all at once when there are more. */
const rememberedTagKeys = 50_000

/** Writes the counted hours and tags of one issue, in the order of their keys. Inside the batch's transaction. */
export function writeIssueCounters(
  statements: IngestStatements,
  { issue, hours, tags }: IssueTally,
  tagValueCounts: TagValueCounts,
): void {
  const { projectId, issueId } = issue
  for (const { hour, environment, eventCount } of sortedValues(hours)) {
    statements.upsertIssueHour.run(projectId, issueId, hour, environment, eventCount)
  }
  for (const tag of sortedValues(tags)) {
    if (updateTag(statements, issue, tag)) continue
    if (hasRoom(statements, issue, { key: tag.key, tagValueCounts })) insertTag(statements, issue, tag)
    else countAsOther(statements, issue, tag)
  }
}

interface IssueKey {
  projectId: number
  issueId: number
}

function updateTag(statements: IngestStatements, issue: IssueKey, tag: TagTally): boolean {
  const { key, value, eventCount, lastSeenAt } = tag
  const { projectId, issueId } = issue
  const result = statements.updateIssueTag.run(
    eventCount,
    lastSeenAt,
    lastSeenAt,
    projectId,
    issueId,
    key,
    value,
  )
  return Number(result.changes) > 0
}

function insertTag(statements: IngestStatements, { projectId, issueId }: IssueKey, tag: TagTally): void {
  statements.insertIssueTag.run(projectId, issueId, tag.key, tag.value, tag.eventCount, tag.lastSeenAt)
}

function countAsOther(statements: IngestStatements, issue: IssueKey, tag: TagTally): void {
  const other = { ...tag, value: otherTagValue }
  if (!updateTag(statements, issue, other)) insertTag(statements, issue, other)
}

/** True when one more value of the key may be kept; counts it then. */
function hasRoom(
  statements: IngestStatements,
  { projectId, issueId }: IssueKey,
  { key, tagValueCounts }: { key: string; tagValueCounts: TagValueCounts },
): boolean {
  const mapKey = `${issueId}\0${key}`
  const known =
    tagValueCounts.get(mapKey) ??
    Number(statements.countIssueTagValues.get(projectId, issueId, key)?.['value_count'])
  if (tagValueCounts.size >= rememberedTagKeys) tagValueCounts.clear()
  const isFree = known < limits.tagValuesPerIssueKey
  tagValueCounts.set(mapKey, isFree ? known + 1 : known)
  return isFree
}

/** Writes the counters of a batch's projects, in the order of their keys. Inside the batch's transaction. */
export function writeProjectCounters(statements: IngestStatements, tally: ProjectTally): void {
  for (const { projectId, name, firstSeenAt, lastSeenAt, eventCount } of sortedValues(tally.releases)) {
    statements.upsertRelease.run(projectId, name, firstSeenAt, lastSeenAt, eventCount)
  }
  for (const seen of sortedValues(tally.environments)) writeEnvironment(statements, seen)
  for (const { projectId, hour, category, outcome, reason, quantity } of sortedValues(tally.outcomes)) {
    statements.upsertOutcome.run(projectId, hour, category, outcome, reason, quantity)
  }
}

function writeEnvironment(statements: IngestStatements, seen: SeenTally): void {
  const { projectId, name, firstSeenAt, lastSeenAt, eventCount } = seen
  const isKnown = statements.updateEnvironment.run(
    eventCount,
    firstSeenAt,
    firstSeenAt,
    lastSeenAt,
    lastSeenAt,
    projectId,
    name,
  )
  if (Number(isKnown.changes) > 0) return
  const counted = Number(statements.countEnvironments.get(projectId)?.['environment_count'])
  if (counted >= limits.environmentsPerProject) return
  statements.insertEnvironment.run(projectId, name, firstSeenAt, lastSeenAt, eventCount)
}

/** One order for every writer: rows are touched one after another through the index, and two writers cannot deadlock. */
function sortedValues<Value>(map: Map<string, Value>): Value[] {
  if (map.size < 2) return [...map.values()]
  return [...map.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value)
}
