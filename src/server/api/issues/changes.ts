import * as v from 'valibot'
import { errorAnswer, fieldErrorAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { limits } from '#server/limits.ts'
import { findUserByEmail } from '#server/store/accounts/users.ts'
import { findLatestRelease } from '#server/store/releases/order.ts'
import { findReleases } from '#server/store/releases/releases.ts'
import { recordAssignee } from '#server/store/triage/assignee.ts'
import type { IssueSelection } from '#server/store/triage/changed-issues.ts'
import { recordMerge, type MergeRejection } from '#server/store/triage/merge.ts'
import { recordIssueStatus, type ArchiveUntil, type StatusChange } from '#server/store/triage/status.ts'
import { minuteMs } from '#time/time-steps.ts'
import { appConfig } from '../../../../app.config.ts'

/** An integer from 1 to the console's maximum, above which dates and counts would overflow. */
const upTo = (most: number) => v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)))
const minutesPerDay = 1_440
const notTaken = (instead: string) => v.nullish(v.never(`Culvert does not support this: ${instead}.`))

/** When an archived issue is reopened. Sentry's clients send it in `statusDetails` or next to the status. */
const ignoreFields = {
  ignoreDuration: upTo(limits.archiveDays * minutesPerDay),
  ignoreCount: upTo(appConfig.archiveCount),
  ignoreUserCount: upTo(appConfig.archiveCount),
  ignoreWindow: notTaken('counts are without a window; substatus archived_until_escalating has one'),
  ignoreUserWindow: notTaken('counts are without a window'),
}

/**
 * A change of an issue in Sentry's format. `ignored`, and `muted` of sentry-cli, archive it. Fields without
 * an equivalent (`hasSeen` …) are accepted and ignored.
 */
export const issueChangeBody = v.object({
  status: v.nullish(v.picklist(['unresolved', 'resolved', 'resolvedInNextRelease', 'ignored', 'muted'])),
  substatus: v.nullish(v.string()),
  statusDetails: v.nullish(
    v.object({
      inNextRelease: v.nullish(v.boolean()),
      inRelease: v.nullish(v.pipe(v.string(), v.maxLength(limits.releaseCharacters))),
      inCommit: notTaken('use inRelease with the release'),
      inUpcomingRelease: notTaken('use inNextRelease'),
      ...ignoreFields,
    }),
  ),
  ...ignoreFields,
  /** Minutes. The former name of `ignoreDuration`. */
  snoozeDuration: upTo(limits.archiveDays * minutesPerDay),
  assignedTo: v.nullish(v.pipe(v.string(), v.maxLength(limits.nameCharacters))),
  discard: notTaken('use DELETE; the console can also ignore future events'),
})

/** A change of several issues, which can also merge them. */
export const issuesChangeBody = v.object({
  ...issueChangeBody.entries,
  merge: v.nullish(v.union([v.boolean(), v.number()])),
})

export type IssueChange = v.InferOutput<typeof issueChangeBody>

/** Changes status and assignee. Returns undefined, or the rejection without a change. */
export async function changeIssues(
  { services: { store, clock }, viewer }: ApiCall,
  selection: IssueSelection,
  change: IssueChange,
): Promise<ApiAnswer | undefined> {
  const actor = { userId: viewer.userId, at: clock() }
  const steps = await toStatusSteps({ store }, selection, fromSentryStatus(change, actor.at))
  if (steps === undefined) return fieldErrorAnswer('statusDetails.inRelease', noSuchRelease)
  if (change.assignedTo !== undefined) {
    const assigneeId = await findAssigneeId({ store }, change.assignedTo)
    const result =
      assigneeId === undefined ? undefined : await recordAssignee(store, selection, { ...actor, assigneeId })
    if (result === undefined || 'rejected' in result) return fieldErrorAnswer('assignedTo', noSuchAssignee)
  }
  for (const step of steps) await recordIssueStatus(store, step.selection, { ...actor, change: step.change })
  return undefined
}

/** A status change and its issues. */
interface StatusStep {
  selection: IssueSelection
  change: StatusChange
}

/**
 * One step for all issues; for the release `latest` one step per project with a release. Undefined if a named
 * release does not exist.
 */
async function toStatusSteps(
  { store }: Pick<ApiCall['services'], 'store'>,
  selection: IssueSelection,
  change: StatusChange | undefined,
): Promise<StatusStep[] | undefined> {
  if (change === undefined) return []
  const fixedIn = change.status === 'resolved' ? change.fixedIn : undefined
  if (typeof fixedIn !== 'object') return [{ selection, change }]
  const { projectIds } = selection
  if (fixedIn.release !== 'latest') {
    const known = await findReleases(store.db, { version: fixedIn.release, projectIds })
    return known.length === 0 ? undefined : [{ selection, change }]
  }
  const steps: StatusStep[] = []
  for (const projectId of projectIds) {
    const latest = await findLatestRelease(store.db, projectId)
    const own = latest && ({ status: 'resolved', fixedIn: { release: latest.version } } as const)
    steps.push({
      selection: { ...selection, projectIds: [projectId] },
      change: own ?? { status: 'resolved' },
    })
  }
  return steps
}

/** Merges issues. Returns the id of the resulting issue, or the rejection. */
export async function mergeSelection(
  { services: { store, clock }, viewer }: ApiCall,
  selection: IssueSelection,
): Promise<{ ok: true; intoId: number } | { ok: false; error: ApiAnswer }> {
  const result = await recordMerge(store, selection, { userId: viewer.userId, at: clock() })
  return 'rejected' in result
    ? { ok: false, error: errorAnswer(400, mergeRejections[result.rejected]) }
    : { ok: true, intoId: result.intoId }
}

export const cannotChange = errorAnswer(
  403,
  'You do not have permission to perform this action: viewers cannot change issues.',
)

const noSuchRelease = 'Unable to find a release with the given version.'
const noSuchAssignee =
  'No such user with access to the issue’s project: use user:ID or an email address. There are no teams.'

const mergeRejections: Record<MergeRejection, string> = {
  'different-projects': 'Only issues of one project can be merged.',
  'fewer-than-two': 'Name at least two issues to merge.',
  'too-many-events': `The issues to be merged have more than ${limits.mergedEvents} kept events.`,
}

/** Parses `user:ID`, an id, or an email address, which is also the user name. Null unassigns. */
async function findAssigneeId(
  { store }: Pick<ApiCall['services'], 'store'>,
  text: string | null,
): Promise<string | null | undefined> {
  const name = (text ?? '').trim().replace(/^user:/, '')
  if (name === '') return null
  if (!name.includes('@')) return name
  return (await findUserByEmail(store.db, name.toLowerCase()))?.id
}

function fromSentryStatus(change: IssueChange, now: number): StatusChange | undefined {
  const { status, substatus, statusDetails, snoozeDuration } = change
  const { inNextRelease, inRelease } = statusDetails ?? {}
  switch (status) {
    case 'unresolved':
      return { status }
    case 'resolvedInNextRelease':
      return { status: 'resolved', fixedIn: 'next_release' }
    case 'resolved':
      if (inRelease) return { status, fixedIn: { release: inRelease } }
      return inNextRelease === true ? { status, fixedIn: 'next_release' } : { status }
    case 'muted':
    case 'ignored': {
      const until = toArchiveUntil(
        {
          ignoreDuration: statusDetails?.ignoreDuration ?? change.ignoreDuration ?? snoozeDuration,
          ignoreCount: statusDetails?.ignoreCount ?? change.ignoreCount,
          ignoreUserCount: statusDetails?.ignoreUserCount ?? change.ignoreUserCount,
        },
        { substatus, now },
      )
      return { status: 'archived', ...(Object.keys(until).length > 0 && { until }) }
    }
    case null:
    case undefined:
  }
  return undefined
}

function toArchiveUntil(
  {
    ignoreDuration,
    ignoreCount,
    ignoreUserCount,
  }: Pick<IssueChange, 'ignoreDuration' | 'ignoreCount' | 'ignoreUserCount'>,
  { substatus, now }: { substatus: IssueChange['substatus']; now: number },
): ArchiveUntil {
  return {
    ...(ignoreDuration && { at: now + ignoreDuration * minuteMs }),
    ...(ignoreCount && { moreEvents: ignoreCount }),
    ...(ignoreUserCount && { moreUsers: ignoreUserCount }),
    ...(substatus === 'archived_until_escalating' && { escalates: true }),
  }
}
