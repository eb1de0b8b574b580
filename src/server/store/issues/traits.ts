import { hash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { BatchCache } from '#server/store/ingest/batch-cache.ts'
import type { IssueBatchCounts } from '#server/store/ingest/issue-batch-counts.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'

/** Reads `EventRecord.traits`. */
export function parseTraits(text: string): [key: string, value: string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const tab = line.indexOf('\t')
    return tab === -1 ? [] : [[line.slice(0, tab), line.slice(tab + 1)]]
  })
}

/**
 * Adds the search words of a batch's latest event to its issue. Most events of an issue have the same words,
 * which are written once. If they differ, at most `limits.traitTexts` per `limits.traitIntervalMs` are
 * written, so that a flood of events costs no more.
 */
export function writeTraits(
  { statements, cache }: { statements: IngestStatements; cache: BatchCache },
  { issue: { projectId, issueId, isNew }, ends }: IssueBatchCounts,
): void {
  const latest = ends?.latest
  if (latest?.traits === undefined || !hasNewTraits(cache, issueId, latest)) return
  noteTraits(cache, issueId, latest)
  const counts = isNew ? new Map<string, number>() : countTraits(statements, { projectId, issueId })
  for (const [key, value] of parseTraits(latest.traits)) {
    const count = counts.get(key) ?? 0
    if (count >= limits.traitsPerIssueKey) continue
    const { changes } = statements.insertIssueTrait.run(projectId, issueId, key, value)
    if (Number(changes) > 0) counts.set(key, count + 1)
  }
}

type TraitText = Pick<EventRecord, 'traits' | 'receivedAt'>

/** True for a text that was not written recently and has to be written. */
export function hasNewTraits(
  { traits }: BatchCache,
  issueId: number,
  { traits: text, receivedAt }: TraitText,
): boolean {
  if (text === undefined) return false
  const known = traits.get(issueId)
  if (known === undefined) return true
  if (known.hashes.has(hash('md5', text))) return false
  return known.hashes.size < limits.traitTexts || receivedAt >= known.since + limits.traitIntervalMs
}

/** Marks a text as written. */
function noteTraits(
  { traits }: BatchCache,
  issueId: number,
  { traits: text = '', receivedAt }: TraitText,
): void {
  const textHash = hash('md5', text)
  const known = traits.get(issueId)
  if (known !== undefined && known.hashes.size < limits.traitTexts) known.hashes.add(textHash)
  else traits.set(issueId, { hashes: new Set([textHash]), since: receivedAt })
}

function countTraits(
  statements: IngestStatements,
  { projectId, issueId }: { projectId: number; issueId: number },
): Map<string, number> {
  const rows = statements.countIssueTraits.all(projectId, issueId)
  return new Map(rows.map((row) => [String(row['key']), Number(row['trait_count'])]))
}
