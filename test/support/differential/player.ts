import { toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import { runRetention } from '#server/retention/run-retention.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueStatuses } from '#server/store/issues/records.ts'
import { listIssues } from '#server/store/issues/search/issue-list.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { deleteRelease, recordDeploy, recordRelease } from '#server/store/releases/changes.ts'
import type { Store } from '#server/store/store.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import type { ActionResult } from '#server/store/triage/changed-issues.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { listDiscardedHashes, revokeDiscard } from '#server/store/triage/discarded-hashes.ts'
import { recordMerge, recordUnmerge } from '#server/store/triage/merge.ts'
import { reopenByTime } from '#server/store/triage/reopening.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { testNow } from '../test-store.ts'
import { toCommitEntry } from './envelope.ts'
import type { TimedStep, WorkStep } from './steps.ts'

const projectIds = [1, 2]
const pageSize = 3

/** Plays steps on a store. The clock is the player's: it must be the store's, too. */
export interface Player {
  store: Store
  /** Runs a step, and returns what its caller sees, without ids that are random. */
  play(step: TimedStep): Promise<unknown>
  /** Counts everything that is committed. */
  finish(): Promise<void>
}

/** Creates a player on a new store, which `open` opens with the clock of the player. */
export async function createPlayer(open: (clock: () => number) => Promise<Store>): Promise<Player> {
  let now = testNow
  const store = await open(() => now)
  store.connection.exec(`INSERT INTO users (id, name, email, created_at, updated_at)
    VALUES ('ada', 'Ada', 'ada@example.com', '', ''), ('ben', 'Ben', 'ben@example.com', '', '')`)
  store.connection.exec(`INSERT INTO memberships (organization_id, user_id, role, created_at)
    VALUES (1, 'ada', 'owner', 0), (1, 'ben', 'admin', 0)`)
  const committer = createCommitter(store)
  const actions: Action[] = []
  const field: Field = {
    store,
    now: () => now,
    actions,
    commit: async (envelopes) => {
      const works = await Promise.all(envelopes.map((envelope) => toCommitEntry(envelope, now)))
      // Handed in at once, so they share a transaction.
      return Promise.all(works.map((work) => committer.commit(work)))
    },
  }
  return {
    store,
    async play({ afterMs, step }) {
      // As a server does within a second: what is first seen then has the time of counting.
      if (afterMs >= 1_000) await committer.drain()
      now += afterMs
      return playStep(field, step)
    },
    finish: () => committer.drain(),
  }
}

interface Action {
  id: string
  issueIds: number[]
}

interface Field {
  store: Store
  now: () => number
  /** Actions that can be undone, the latest last. */
  actions: Action[]
  commit: (envelopes: Extract<WorkStep, { kind: 'send' }>['envelopes']) => Promise<unknown>
}

async function playStep(field: Field, step: WorkStep): Promise<unknown> {
  const { store, now } = field
  switch (step.kind) {
    case 'send':
      return field.commit(step.envelopes)
    case 'search':
      return search(field, step)
    case 'release': {
      const { version, commits, isArchived, ageMs } = step
      return recordRelease(
        store,
        { version, projectIds },
        {
          ...(commits && { commits: commits.map((message, index) => ({ id: `c${index}`, message })) }),
          ...(isArchived !== undefined && { isArchived }),
          ...(ageMs !== undefined && { releasedAt: now() - ageMs }),
        },
      )
    }
    case 'deploy':
      return recordDeploy(store, { version: step.version, projectIds }, { environment: step.environment })
    case 'delete release':
      return deleteRelease(store, { version: step.version, projectIds: [step.projectId] })
    case 'retain': {
      const { projectId, days, events } = step
      await updateProjectSettings(store, projectId, () => ({ retention: { days, events } }))
      const { projects } = await runRetention({
        store,
        maxBytes: 10 ** 12,
        disk: undefined,
        isClockTrusted: true,
      })
      return projects
    }
    case 'reopen by time':
      return reopenByTime(store, now())
    case 'reopen':
    case 'resolve':
    case 'archive':
    case 'assign':
    case 'comment':
    case 'merge':
    case 'unmerge':
    case 'delete':
    case 'allow':
    case 'undo':
  }
  return playTriage(field, step)
}

type Triage = Exclude<
  WorkStep,
  { kind: 'send' | 'search' | 'release' | 'deploy' | 'delete release' | 'retain' | 'reopen by time' }
>

async function playTriage(field: Field, step: Triage): Promise<unknown> {
  const { store, now, actions } = field
  const by = { userId: 'ada', at: now() }
  if (step.kind === 'allow') return allow(field, step.hash)
  if (step.kind === 'undo') {
    const action = actions.at(-1 - step.action)
    if (action === undefined) return 'nothing to undo'
    const { id: actionId, issueIds } = action
    return remember(field, await recordUndo(store, { issueIds, projectIds }, { ...by, actionId }))
  }
  const issueIds = await pickIssues(store, step.issues)
  const selection = { issueIds, projectIds }
  switch (step.kind) {
    case 'reopen':
      return remember(
        field,
        await recordIssueStatus(store, selection, { ...by, change: { status: 'unresolved' } }),
      )
    case 'resolve': {
      const fixedIn =
        step.fixedIn === 'next_release' || step.fixedIn === undefined
          ? step.fixedIn
          : { release: step.fixedIn }
      const change = { status: 'resolved', ...(fixedIn && { fixedIn }) } as const
      return remember(field, await recordIssueStatus(store, selection, { ...by, change }))
    }
    case 'archive': {
      const { at, ...rest } = step.until ?? {}
      const until = step.until && { ...rest, ...(at !== undefined && { at: now() + at }) }
      const change = { status: 'archived', ...(until && { until }) } as const
      return remember(field, await recordIssueStatus(store, selection, { ...by, change }))
    }
    case 'assign':
      return remember(field, await recordAssignee(store, selection, { ...by, assigneeId: step.to }))
    case 'comment':
      return recordComment(store, { issueId: issueIds[0] ?? -1, projectIds }, { ...by, text: step.text })
    case 'merge':
      return remember(field, await recordMerge(store, selection, by))
    case 'unmerge':
      return unmerge(field, issueIds, step.part)
    case 'delete':
  }
  return remember(field, await recordDeletion(store, selection, { ...by, discards: step.discards }))
}

/** The result of an action, which can be undone later, without its id. */
function remember({ actions }: Field, result: ActionResult | { rejected: string }): unknown {
  if ('rejected' in result) return result
  const { actionId: id, ...rest } = result
  actions.push({ id, issueIds: rest.issueIds })
  return { ...rest, issueIds: rest.issueIds.toSorted((one, other) => one - other) }
}

async function unmerge(field: Field, issueIds: readonly number[], index: number): Promise<unknown> {
  const { store, now } = field
  const issueId = issueIds[0] ?? -1
  const rows = await store.db
    .selectFrom('issue_parts')
    .select('id')
    .where('project_id', 'in', projectIds)
    .where('issue_id', '=', issueId)
    .where('id', '>', 0)
    .orderBy('id')
    .execute()
  const part = rows[index % Math.max(rows.length, 1)]
  const selection = { issueIds: [issueId], projectIds }
  const by = { userId: 'ada', at: now() }
  return remember(field, await recordUnmerge(store, selection, { ...by, partIds: part ? [part.id] : [] }))
}

async function allow({ store }: Field, index: number): Promise<unknown> {
  const hashes = await listDiscardedHashes(store.db, 1)
  const hash = hashes[index % Math.max(hashes.length, 1)]?.hash
  return hash === undefined ? hashes : [hashes, await revokeDiscard(store, { projectId: 1, hash })]
}

/** Issues in the order of their ids, `count` from one of them on. */
async function pickIssues(store: Store, { from, count }: { from: number; count: number }): Promise<number[]> {
  const rows = await store.db
    .selectFrom('issues')
    .select('id')
    .where('project_id', 'in', projectIds)
    .orderBy('project_id')
    .orderBy('id')
    .execute()
  const start = from % Math.max(rows.length, 1)
  return rows.slice(start, start + count).map(({ id }) => id)
}

/** The pages of a search, from the first to the last. */
async function search({ store, now }: Field, step: Extract<WorkStep, { kind: 'search' }>): Promise<unknown> {
  const text = step.isNegated && step.text !== '' ? `!(${step.text})` : step.text
  const { parts, problems } = parseSearch(text)
  if (problems.length > 0) return problems
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await listIssues(store.db, {
      projects: [
        { id: 1, slug: 'web' },
        { id: 2, slug: 'api' },
      ],
      userId: 'ada',
      now: now(),
      bars: '24h',
      limit: pageSize,
      timeLimitMs: 60_000,
      expression: toExpression({ parts }),
      statuses: issueStatuses,
      sort: step.sort,
      ...(cursor !== undefined && { cursor }),
    })
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== undefined && pages.length < 50)
  return pages
}
