import { hash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { BatchMemory } from '#server/store/ingest/batch-memory.ts'
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
  { statements, memory }: { statements: IngestStatements; memory: BatchMemory },
  { issue: { projectId, issueId, isNew }, ends }: IssueBatchCounts,
): void {
  const latest = ends?.latest
  if (latest?.traits === undefined || !isNews(memory, issueId, latest)) return
  const counts = isNew ? new Map<string, number>() : countTraits(statements, { projectId, issueId })
  for (const [key, value] of parseTraits(latest.traits)) {
    const count = counts.get(key) ?? 0
    if (count >= limits.traitsPerIssueKey) continue
    const { changes } = statements.insertIssueTrait.run(projectId, issueId, key, value)
    if (Number(changes) > 0) counts.set(key, count + 1)
  }
}

/** True for a text that was not written recently; records it as written. */
function isNews(
  { traits }: BatchMemory,
  issueId: number,
  { traits: text = '', receivedAt }: Pick<EventRecord, 'traits' | 'receivedAt'>,
): boolean {
  const textHash = hash('md5', text)
  const known = traits.get(issueId)
  if (known?.hashes.has(textHash)) return false
  if (known !== undefined && known.hashes.size < limits.traitTexts) {
    known.hashes.add(textHash)
    return true
  }
  if (known !== undefined && receivedAt < known.since + limits.traitIntervalMs) return false
  traits.set(issueId, { hashes: new Set([textHash]), since: receivedAt })
  return true
}

function countTraits(
  statements: IngestStatements,
  { projectId, issueId }: { projectId: number; issueId: number },
): Map<string, number> {
  const rows = statements.countIssueTraits.all(projectId, issueId)
  return new Map(rows.map((row) => [String(row['key']), Number(row['trait_count'])]))
}
