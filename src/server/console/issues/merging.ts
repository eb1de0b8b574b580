import * as v from 'valibot'
import { findShortId } from '#search/direct-target.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { actionForm, defineAction } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText, text, texts } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { recordMerge, recordUnmerge, type MergeRejection } from '#server/store/triage/merge.ts'
import { findIssueByShortId, findMergedInto } from '#server/store/triage/merged-issue.ts'
import { appConfig } from '../../../../app.config.ts'
import { concludeAction, issueIdsField, toSelection, unmergeRejections } from './actions.ts'

const mergeFields = v.object({
  issueIds: issueIdsField,
  /** The issue to merge into; if empty, the one with the most events. */
  intoId: rawText,
  /** A further issue: a link, a short id or an id. */
  other: v.pipe(text, v.maxLength(500)),
})

const mergeRejections: Record<MergeRejection, string> = {
  'fewer-than-two': 'Choose at least two different issues.',
  'different-projects': 'The issues belong to different projects.',
  'too-many-events': 'Too many events to merge. Keep the largest issue as the target.',
}

/** Merges issues into one of them. */
export const issueMergeForms = defineAction(actions.issueMerge, {
  merge: actionForm(mergeFields, async ({ services: { store, clock }, viewer, fields }) => {
    const selection = toSelection(viewer, fields.issueIds)
    if (fields.other !== '') {
      const other = await findNamedIssue({ store }, fields.other, selection.projectIds)
      if (other === undefined) return reject('Issue not found or no access.')
      selection.issueIds = [...new Set([...selection.issueIds, other])]
    }
    const intoId = parseIssueId(fields.intoId)
    const result = await recordMerge(store, selection, {
      userId: viewer.userId,
      at: clock(),
      intoId,
    })
    if ('rejected' in result) return reject(mergeRejections[result.rejected])
    return concludeAction({ verb: 'Merged', posted: selection.issueIds, result, shownBy: result.intoId })
  }),
})

/**
 * Finds an issue that the user can change by a link, a short id or an id. For a merged issue, returns the
 * issue that it was merged into.
 */
async function findNamedIssue(
  { store }: Pick<Services, 'store'>,
  reference: string,
  projectIds: readonly number[],
): Promise<number | undefined> {
  const [, linked] = /\/issues\/(\d{1,16})(?:[/?#]|$)/.exec(reference) ?? []
  const issueId = parseIssueId(linked ?? reference)
  if (issueId === undefined) {
    const shortId = findShortId(reference)
    return shortId && findIssueByShortId(store.db, { ...shortId, projectIds })
  }
  return (await findMergedInto(store.db, { issueId, projectIds })) ?? issueId
}

const unmergeFields = v.object({
  issueIds: issueIdsField,
  partIds: v.pipe(texts, v.nonEmpty('Select an issue.'), v.maxLength(appConfig.issuesPerAction)),
})

/** Unmerges merged issues. */
export const issueUnmergeForms = defineAction(actions.issueUnmerge, {
  unmerge: actionForm(unmergeFields, async ({ services: { store, clock }, viewer, fields }) => {
    const partIds = fields.partIds.map(parseIssueId).filter((id) => id !== undefined)
    const actor = { userId: viewer.userId, at: clock() }
    const result = await recordUnmerge(store, toSelection(viewer, fields.issueIds), { ...actor, partIds })
    if ('rejected' in result) return reject(unmergeRejections[result.rejected])
    const outcome = concludeAction({ verb: 'Unmerged', posted: fields.issueIds, result })
    if (outcome.kind !== 'done' || fields.partIds.length === 1) return outcome
    return { ...outcome, text: `Unmerged: ${fields.partIds.length} issues.` }
  }),
})

const deletionFields = v.object({
  issueIds: issueIdsField,
  discards: v.pipe(rawText, v.picklist(['yes', 'no', ''])),
})

/** Deletes issues; with `discards`, also discards later events that would reopen them. */
export const issueDeletionForms = defineAction(actions.issueDeletion, {
  delete: actionForm(deletionFields, async ({ services: { store, clock, log }, viewer, fields }) => {
    const discards = fields.discards === 'yes'
    const selection = {
      ...toSelection(viewer, fields.issueIds),
      projectIds: projectsWith(viewer, 'configure'),
    }
    const { userId } = viewer
    const result = await recordDeletion(store, selection, { userId, at: clock(), discards })
    const verb = discards ? 'Deleted; future events are ignored' : 'Deleted'
    const outcome = concludeAction({ verb, posted: fields.issueIds, result, isFinal: true })
    if (outcome.kind !== 'done') return outcome
    log.info({ userId, issueIds: result.issueIds.map(String), discards }, 'issues were deleted')
    return { ...outcome, leadsTo: '/issues' }
  }),
})
