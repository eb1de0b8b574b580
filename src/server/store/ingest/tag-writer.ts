import { isPromotedTagKey } from '#protocol/promoted-tags.ts'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { createWindowCounter, type WindowCounter } from '#server/store/alerts/thresholds/windows.ts'
import type { TagCount, TagCounts } from '#server/store/issues/counters.ts'
import { sortedEntries } from '#server/store/sorted-entries.ts'
import type { Store } from '#server/store/store.ts'
import { prepareIngestStatements, type IngestStatements } from './statements.ts'

/** The value under which the events of all values beyond `limits.tagValuesPerIssueKey` are counted. */
export const otherTagValue = '(other)'

/** The number of tag keys, of all issues, whose value count is cached. */
const cachedTagKeys = 50_000

/** The number of issues whose count of tag keys is cached. */
const cachedIssues = 10_000

interface TagValueCount {
  /** Upper bound of the number of values. 0: the key exceeds the limit of keys and is not counted. */
  most: number
  /** True if `most` is the exact number. */
  isExact: boolean
}

/** The dependencies of `writeTagCounts`. */
export interface TagWriter {
  statements: IngestStatements
  /** Unix milliseconds. */
  clock: () => number
  /**
   * Number of values per tag key of an issue, cached: counting up to a thousand rows for every new value of a
   * frequent key would cost more than storing the event.
   */
  tagValueCounts: BoundedMap<string, TagValueCount>
  /** Number of tag keys per issue, cached. Clear both caches with `clearTagCaches`. */
  tagKeyCounts: BoundedMap<number, number>
  windows: WindowCounter
}

/** Creates the dependencies of `writeTagCounts`, with empty caches. */
export function createTagWriter(store: Store): TagWriter {
  const statements = prepareIngestStatements(store)
  return {
    statements,
    clock: store.clock,
    tagValueCounts: new BoundedMap(cachedTagKeys),
    tagKeyCounts: new BoundedMap(cachedIssues),
    windows: createWindowCounter(statements.windows, store.clock),
  }
}

/**
 * Clears the caches. Call after every rollback, because cached rows may not exist, and after other
 * connections have written.
 */
export function clearTagCaches({ tagValueCounts, tagKeyCounts }: TagWriter): void {
  tagValueCounts.clear()
  tagKeyCounts.clear()
}

interface IssueKey {
  projectId: number
  issueId: number
}

/** One tag key of one issue. */
export interface TagKey extends IssueKey {
  key: string
}

/** Adds to the tag counts of an issue, in key order. Call inside a transaction. */
export function writeTagCounts(writer: TagWriter, issue: IssueKey, counts: TagCounts): void {
  for (const [key, values] of sortedEntries(counts)) writeValues(writer, { ...issue, key }, values)
}

function writeValues(writer: TagWriter, tagKey: TagKey, values: Map<string, TagCount>): void {
  const { statements } = writer
  if (isSurplus(writer, tagKey)) return
  if (statements.findIssueTag.expect !== undefined && hasRoomForAll(writer, tagKey, values.size)) {
    for (const each of sortedEntries(values)) addToTag(statements, tagKey, each)
    return
  }
  const other = { eventCount: 0, lastSeenAt: 0 }
  for (const [value, count] of sortedEntries(values)) {
    if (updateTag(statements, tagKey, [value, count])) continue
    if (hasRoom(writer, tagKey)) {
      insertTag(statements, tagKey, [value, count])
    } else {
      other.eventCount += count.eventCount
      other.lastSeenAt = Math.max(other.lastSeenAt, count.lastSeenAt)
    }
  }
  if (other.eventCount === 0 || isSurplus(writer, tagKey)) return
  if (!updateTag(statements, tagKey, [otherTagValue, other])) {
    insertTag(statements, tagKey, [otherTagValue, other])
  }
}

type CountedValue = readonly [value: string, count: TagCount]

function updateTag(
  statements: IngestStatements,
  { projectId, issueId, key }: TagKey,
  [value, { eventCount, lastSeenAt }]: CountedValue,
): boolean {
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

function insertTag(
  statements: IngestStatements,
  { projectId, issueId, key }: TagKey,
  [value, { eventCount, lastSeenAt }]: CountedValue,
): void {
  statements.insertIssueTag.run(projectId, issueId, key, value, eventCount, lastSeenAt)
}

/** Writes a value that exists or that fits within the limit; the statement decides which. */
function addToTag(
  statements: IngestStatements,
  { projectId, issueId, key }: TagKey,
  [value, { eventCount, lastSeenAt }]: CountedValue,
): void {
  statements.upsertIssueTag.run(projectId, issueId, key, value, eventCount, lastSeenAt)
}

/**
 * True if this many values of the key may be written whether they exist or not. All of them are then counted,
 * so the cached count becomes an upper bound.
 */
function hasRoomForAll({ tagValueCounts }: TagWriter, tagKey: TagKey, valueCount: number): boolean {
  const mapKey = toMapKey(tagKey.issueId, tagKey.key)
  const known = tagValueCounts.get(mapKey)
  if (known === undefined || known.most + valueCount > limits.tagValuesPerIssueKey) return false
  tagValueCounts.set(mapKey, { most: known.most + valueCount, isExact: false })
  return true
}

/** True if the key may get one more value; counts it in that case. */
function hasRoom(writer: TagWriter, tagKey: TagKey): boolean {
  const { statements, tagValueCounts } = writer
  const { projectId, issueId, key } = tagKey
  const mapKey = toMapKey(issueId, key)
  const known = tagValueCounts.get(mapKey)
  const most =
    known?.isExact === true
      ? known.most
      : Number(statements.countIssueTagValues.get(projectId, issueId, key)?.['value_count'])
  const isFree = most === 0 ? hasRoomForKey(writer, tagKey) : most < limits.tagValuesPerIssueKey
  tagValueCounts.set(mapKey, { most: isFree ? most + 1 : most, isExact: true })
  return isFree
}

/** True if the issue may get this new key; counts it in that case. */
function hasRoomForKey(writer: TagWriter, tagKey: TagKey): boolean {
  const { tagKeyCounts } = writer
  const isPromoted = isPromotedTagKey(tagKey.key)
  const count = isPromoted ? tagKeyCounts.get(tagKey.issueId) : countTagKeys(writer, tagKey)
  const isFree = isPromoted || (count ?? 0) < limits.tagKeysPerIssue
  if (isFree && count !== undefined) tagKeyCounts.set(tagKey.issueId, count + 1)
  return isFree
}

/** The number of tag keys of an issue, cached. */
export function countTagKeys(
  { statements, tagKeyCounts }: TagWriter,
  { projectId, issueId }: IssueKey,
): number {
  return tagKeyCounts.getOrCreate(issueId, () =>
    Number(statements.countIssueTagKeys.get(projectId, issueId, projectId, issueId)?.['key_count']),
  )
}

/** True for a key that is known to exceed the limit. */
function isSurplus({ tagValueCounts }: TagWriter, { issueId, key }: TagKey): boolean {
  return tagValueCounts.get(toMapKey(issueId, key))?.most === 0
}

/**
 * True if values of a tag key must be looked up before they are counted, and their number must be counted if
 * one of them is new.
 */
export function readsOfTagKey(
  { tagValueCounts }: TagWriter,
  issueId: number,
  { key, valueCount }: { key: string; valueCount: number },
): { values: boolean; count: boolean } {
  const known = tagValueCounts.get(toMapKey(issueId, key))
  if (known === undefined) return { values: true, count: true }
  if (known.most === 0) return { values: false, count: false }
  return { values: known.most + valueCount > limits.tagValuesPerIssueKey, count: !known.isExact }
}

function toMapKey(issueId: number, key: string): string {
  return `${issueId}\0${key}`
}
