import { isPromotedTagKey } from '#protocol/promoted-tags.ts'
import { limits } from '#server/limits.ts'
import { isIdText, toIdBytes } from '#server/store/binary-id.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { hasNewTraits, parseTraits } from '#server/store/issues/traits.ts'
import { rowKey, type BatchCache } from './batch-cache.ts'
import type { ProjectCounters } from './counter-delta.ts'
import type { IssueBatchCounts } from './issue-batch-counts.ts'
import { expectEnvironments } from './issue-environments.ts'
import type { CommitEntry, EventRecord } from './records.ts'
import type { IngestStatements } from './statements.ts'
import { countTagKeys, readsOfTagKey, type TagKey, type TagWriter } from './tag-writer.ts'

/**
 * On an engine where a read is a round trip, announces the reads of a batch, so that a few round trips do all
 * of them. This only saves time: a read that was not announced is a separate round trip.
 * `npm run bench -- committer` counts them.
 */

interface Reader {
  statements: IngestStatements
  cache: BatchCache
}

/** Announces, before a transaction begins, the read that every event needs: whether its id exists. */
export function expectNewEvents(
  { statements }: Pick<Reader, 'statements'>,
  entries: readonly CommitEntry[],
): void {
  if (statements.insertEvent.expect === undefined) return
  for (const { projectId, eventId } of entries.flatMap(({ events }) => events)) {
    // An invalid event must fail when it is written, not here.
    if (Number.isSafeInteger(projectId) && isIdText(eventId))
      statements.insertEvent.expect(projectId, toIdBytes(eventId))
  }
}

/** Announces the reads for events: their hashes, their ids, and then their issues. */
export function expectEvents({ statements, cache }: Reader, entries: readonly CommitEntry[]): void {
  if (statements.findIssueOfHash.expect === undefined) return
  const events = entries.flatMap((entry) => entry.events)
  for (const { projectId, eventId, groupHash, environment, release } of events) {
    if (!cache.hashes.has(`${projectId}:${groupHash}`))
      statements.findIssueOfHash.expect(projectId, toIdBytes(groupHash))
    statements.insertEvent.expect?.(projectId, toIdBytes(eventId))
    statements.updateEnvironment.expect?.(projectId, environment)
    if (release === undefined) continue
    if (!cache.rows.has(rowKey(['release', projectId, release])))
      statements.findRelease.expect?.(projectId, release)
    if (!cache.rows.has(rowKey(['release environment', projectId, release, environment]))) {
      statements.countReleaseEnvironments.expect?.(projectId, release)
      statements.insertReleaseEnvironment.expect?.(projectId, release, environment)
    }
  }
  for (const event of events) expectIssue({ statements, cache }, event)
}

function expectIssue({ statements, cache }: Reader, event: EventRecord): void {
  const { projectId, groupHash, environment } = event
  const known = cache.hashes.get(`${projectId}:${groupHash}`)
  const row = known ? undefined : statements.findIssueOfHash.get(projectId, toIdBytes(groupHash))
  const issueId = known?.issueId ?? row?.['issue_id']
  if (typeof issueId !== 'number') {
    const candidate = issueIdCandidate(projectId, groupHash, 0)
    statements.findProjectOfIssue.expect?.(candidate)
    statements.findExpiredIssue.expect?.(projectId, candidate)
    statements.findIssuePart.expect?.(projectId, candidate)
    statements.readIssueNumber.expect?.(projectId)
    return
  }
  if (!cache.issues.has(issueId)) statements.readIssue.expect?.(projectId, issueId)
  const partId = known?.partId ?? row?.['part_id']
  if (typeof partId === 'number') statements.parts.readIssue.expect?.(projectId, partId)
  for (const id of typeof partId === 'number' ? [issueId, partId] : [issueId])
    expectEnvironments({ statements, cache }, { projectId, issueId: id }, environment)
}

/** Announces the reads for issues whose events are counted. */
export function expectIssues({ statements, cache }: Reader, allCounts: readonly IssueBatchCounts[]): void {
  if (statements.readState.expect === undefined) return
  for (const { issue, ends } of allCounts) {
    const { projectId, issueId, isPart, isNew } = issue
    const rows = isPart ? statements.parts : statements
    if (!isNew && (isPart || !cache.issues.has(issueId))) {
      const row = rows.readIssue.get(projectId, issueId)
      if (row !== undefined && row['status'] !== 'unresolved') rows.readState.expect?.(projectId, issueId)
    }
    if (ends === undefined || !hasNewTraits(cache, issueId, ends.latest)) continue
    if (!isNew) statements.countIssueTraits.expect?.(projectId, issueId)
    for (const [key, value] of parseTraits(ends.latest.traits ?? ''))
      statements.insertIssueTrait.expect?.(projectId, issueId, key, value)
  }
}

/** Announces the reads for counters, by project. */
export function expectCounters(writer: TagWriter, projects: ReadonlyMap<number, ProjectCounters>): void {
  const { statements } = writer
  if (statements.readCountedIssue.expect === undefined) return
  for (const [projectId, issues] of projects) {
    statements.readProjectUserCount.expect?.(projectId)
    for (const [issueId, { tags, userHashes }] of issues) {
      statements.readCountedIssue.expect(projectId, issueId)
      for (const [key, values] of tags) {
        if (!readsOfTagKey(writer, issueId, { key, valueCount: values.size }).values) continue
        for (const value of values.keys()) statements.findIssueTag.expect?.(projectId, issueId, key, value)
      }
      for (const hash of userHashes) {
        statements.insertIssueUser.expect?.(projectId, issueId, hash)
        statements.insertProjectUser.expect?.(projectId, hash)
      }
    }
  }
  const tagKeys: TagKey[] = []
  for (const [projectId, issues] of projects) tagKeys.push(...expectFullCounters(writer, projectId, issues))
  readTagKeys(writer, tagKeys)
}

/** Announces reads that depend on rows just read. Returns the counted tag keys. */
function expectFullCounters(writer: TagWriter, projectId: number, issues: ProjectCounters): TagKey[] {
  const { statements } = writer
  const tagKeys: TagKey[] = []
  const ofProject = new Set<number>()
  for (const [issueId, { tags, userHashes }] of issues) {
    for (const hash of userHashes) ofProject.add(hash)
    const row = statements.readCountedIssue.get(projectId, issueId)
    if (row === undefined) statements.parts.readCountedIssue.expect?.(projectId, issueId)
    else if (isFull(row['user_count']))
      statements.readLargestIssueUsers.expect?.(projectId, issueId, userHashes.size + 1)
    for (const [key, values] of tags) {
      const reads = readsOfTagKey(writer, issueId, { key, valueCount: values.size })
      if (!reads.values || !reads.count) continue
      const isNew = (value: string) =>
        statements.findIssueTag.get(projectId, issueId, key, value) === undefined
      if (![...values.keys()].some(isNew)) continue
      statements.countIssueTagValues.expect?.(projectId, issueId, key)
      tagKeys.push({ projectId, issueId, key })
    }
  }
  if (isFull(statements.readProjectUserCount.get(projectId)?.['user_count']))
    statements.readLargestProjectUsers.expect?.(projectId, ofProject.size + 1)
  return tagKeys
}

/**
 * Counts the tag keys of issues that get a new one. This has to happen here: the first tag that is written
 * invalidates cached reads of tags.
 */
function readTagKeys(writer: TagWriter, tagKeys: readonly TagKey[]): void {
  const { countIssueTagValues, countIssueTagKeys } = writer.statements
  const added = tagKeys.filter(
    ({ projectId, issueId, key }) =>
      !isPromotedTagKey(key) &&
      Number(countIssueTagValues.get(projectId, issueId, key)?.['value_count']) === 0,
  )
  for (const { projectId, issueId } of added)
    if (writer.tagKeyCounts.get(issueId) === undefined)
      countIssueTagKeys.expect?.(projectId, issueId, projectId, issueId)
  for (const tagKey of added) countTagKeys(writer, tagKey)
}

function isFull(userCount: unknown): boolean {
  return Number(userCount ?? 0) >= limits.usersPerIssueExact
}
