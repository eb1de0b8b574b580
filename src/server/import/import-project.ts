import { toEventResult } from '#server/ingest/items/event.ts'
import { IngestState } from '#server/ingest/project-rules.ts'
import { limits } from '#server/limits.ts'
import {
  joinHashes,
  listImportedHashes,
  parseIssueNumber,
  recordComparison,
  recordImportedIssue,
  reserveIssueNumbers,
} from '#server/store/imports/imported-issues.ts'
import { recordImportedReleases } from '#server/store/imports/imported-releases.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { listOwnerCandidates } from '#server/store/projects/ownership.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import type { ImportedProject } from './apply-plan.ts'
import type { ImportSource, SourceEvent, SourceIssue } from './plan.ts'

export interface ImportProjectOptions {
  store: Store
  committer: Committer
  source: ImportSource
  /** Maximum number of events per issue, the newest. */
  eventCount: number
  onProgress: (counts: ImportCounts) => unknown
}

/** The counts of a project's import. */
export interface ImportCounts {
  releases: number
  issues: number
  /** Issues that were imported before and whose counts were compared again. */
  comparedIssues: number
  events: number
  comments: number
  /** Issues without importable events. */
  emptyIssues: number
  /** Events that are too large or nested too deeply. */
  unreadableEvents: number
  /** Lists of a project that exceed the import's limits. */
  cutReleases: number
  cutIssues: number
}

/** Counts of zero. */
export const nothingImported: Readonly<ImportCounts> = {
  releases: 0,
  issues: 0,
  comparedIssues: 0,
  events: 0,
  comments: 0,
  emptyIssues: 0,
  unreadableEvents: 0,
  cutReleases: 0,
  cutIssues: 0,
}

/**
 * Imports releases, issues and the newest events of a project, which are filtered, scrubbed and grouped as if
 * they had just been sent, but at their own times and without alerts. An issue is imported completely or not
 * at all: an interrupted import continues with the next one.
 */
export async function importProject(
  options: ImportProjectOptions,
  project: ImportedProject,
): Promise<ImportCounts> {
  const { store, source, onProgress } = options
  const counts: ImportCounts = { ...nothingImported }
  counts.releases = await importReleases(options, project, counts)
  const importer = new IssueImporter(options, project, counts)
  await importer.prepare()
  const known = await listImportedHashes(store.db, project.projectId)
  let waiting: SourceIssue[] = []
  let listedCount = 0
  for await (const issue of source.listIssues(project.planned)) {
    listedCount += 1
    if (listedCount > limits.importedIssues) {
      counts.cutIssues = 1
      break
    }
    const hash = known.get(issue.id)
    if (hash === undefined) waiting.push(issue)
    else {
      const { id: sourceId, eventCount: sourceCount, ...rest } = issue
      await recordComparison(store, { ...rest, sourceId, sourceCount, hash, projectId: project.projectId })
      counts.comparedIssues += 1
    }
    if (waiting.length === issuesAtOnce) {
      await importer.importIssues(waiting)
      waiting = []
      await onProgress(counts)
    }
  }
  await importer.importIssues(waiting)
  return counts
}

/** Issues between two waits for the counters. */
const issuesAtOnce = 50

async function importReleases(
  { store, source }: ImportProjectOptions,
  { planned, projectId }: ImportedProject,
  counts: ImportCounts,
): Promise<number> {
  const now = store.clock()
  const releases = []
  let listedCount = 0
  for await (const { version, createdAt = now, ...rest } of source.listReleases(planned)) {
    listedCount += 1
    if (listedCount > limits.importedReleases) {
      counts.cutReleases = 1
      break
    }
    if (version === '' || version.length > limits.releaseCharacters) continue
    releases.push({ ...rest, version, createdAt: Math.min(createdAt, now) })
  }
  return recordImportedReleases(store, projectId, releases)
}

class IssueImporter {
  private readonly options: ImportProjectOptions
  private readonly project: ImportedProject
  private readonly counts: ImportCounts
  private readonly cache = new IngestState()
  private rules: ReturnType<IngestState['rulesOf']> | undefined
  /** Users by email address in lower case. */
  private users = new Map<string, string>()

  constructor(options: ImportProjectOptions, project: ImportedProject, counts: ImportCounts) {
    this.options = options
    this.project = project
    this.counts = counts
  }

  async prepare(): Promise<void> {
    const { db } = this.options.store
    this.rules = this.cache.rulesOf(await getProjectSettings(db, this.project.projectId))
    const users = await listOwnerCandidates(db, this.project.projectId)
    this.users = new Map(users.map(({ email, userId }) => [email.toLowerCase(), userId]))
  }

  async importIssues(issues: readonly SourceIssue[]): Promise<void> {
    const { store, committer } = this.options
    const highest = Math.max(0, ...issues.map(({ shortId }) => parseIssueNumber(shortId) ?? 0))
    if (highest > 0) await reserveIssueNumbers(store, this.project.projectId, highest)
    const committed: { issue: SourceIssue; events: EventRecord[] }[] = []
    for (const issue of issues) committed.push({ issue, events: await this.importEvents(issue) })
    // Rows of issues are complete once everything has been counted.
    await committer.drain()
    for (const { issue, events } of committed) await this.finish(issue, events)
  }

  /** Commits the newest events of an issue. Returns them, including those that already existed. */
  private async importEvents(issue: SourceIssue): Promise<EventRecord[]> {
    const { source, store, committer, eventCount } = this.options
    const { planned, projectId } = this.project
    const sent = await source.readEvents(planned, issue, eventCount)
    // Oldest first, in the order of their occurrence.
    const events = sent.flatMap((event) => this.toRecord(event) ?? []).toReversed()
    const [first] = events
    if (first === undefined) return []
    await committer.commit({ events: [first], outcomes: [], deadLetters: [] })
    const others = events.filter(({ groupHash }) => groupHash !== first.groupHash)
    await joinHashes(store, {
      projectId,
      hash: first.groupHash,
      others: others.map(({ groupHash, mechanism }) => ({ hash: groupHash, mechanism })),
    })
    for (const event of events.slice(1))
      await committer.commit({ events: [event], outcomes: [], deadLetters: [] })
    return events
  }

  private toRecord({ eventId, receivedAt, value }: SourceEvent): EventRecord | undefined {
    const { rules, cache, project, options } = this
    if (rules === undefined) return undefined
    const payload = toPayload(value)
    if (payload === undefined) {
      this.counts.unreadableEvents += 1
      return undefined
    }
    const at = Math.min(receivedAt, options.store.clock())
    const reception = { projectId: project.projectId, receivedAt: at, rules, cache: cache.events }
    const result = toEventResult({ eventId, value, payload }, reception)
    if (result.kind !== 'stored') return undefined
    // The event was counted, and its issue is known, in the other tracker.
    const { spikeProtection: _none, earlierGroupHash: _unknown, ...record } = result.record
    return { ...record, isImported: true }
  }

  private async finish(issue: SourceIssue, events: readonly EventRecord[]): Promise<void> {
    const { store, source } = this.options
    const { counts, users } = this
    const [first] = events
    if (first === undefined) {
      counts.emptyIssues += 1
      return
    }
    const comments = await source.readComments(this.project.planned, issue)
    const { id: sourceId, eventCount: sourceCount, assigneeEmail = '', ...rest } = issue
    const record = {
      ...rest,
      sourceId,
      sourceCount,
      projectId: this.project.projectId,
      hash: first.groupHash,
      importedCount: events.length,
      assigneeId: users.get(assigneeEmail),
      comments: comments.slice(0, limits.importedComments).map(({ at, author, email, text }) => {
        const userId = users.get(email) ?? null
        const own = text.slice(0, limits.importedCommentCharacters)
        return {
          at,
          userId,
          text: userId === null && author !== '' ? `**${author.slice(0, 100)}** wrote:\n\n${own}` : own,
        }
      }),
    }
    if (!(await recordImportedIssue(store, record))) {
      counts.emptyIssues += 1
      return
    }
    counts.issues += 1
    counts.events += events.length
    counts.comments += comments.length
  }
}

/** Undefined for an event that is too large, or nested too deeply to serialize. */
function toPayload(value: SourceEvent['value']): Buffer | undefined {
  try {
    const payload = Buffer.from(JSON.stringify(value))
    return payload.byteLength > limits.eventBytes ? undefined : payload
  } catch (error) {
    // A tracker's answer can be parsed at any depth, but not serialized.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
