import * as v from 'valibot'
import { projectsWith } from '#server/auth/viewer.ts'
import { readEventParts } from '#server/console/events/events.ts'
import { actionForm, defineAction, notThere } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText, text } from '#server/forms/fields.ts'
import { reject, type FormOutcome } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { findLatestEvent } from '#server/store/events/events.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import { findIssue } from '#server/store/issues/issues.ts'
import type { Actor } from '#server/store/triage/activity.ts'
import {
  listIssueLinks,
  recordIssueLink,
  recordIssueUnlink,
  type LinkedIssue,
  type LinkResult,
} from '#server/store/triage/links.ts'
import { openTrackerToken } from '#server/trackers/tracker-secrets.ts'
import { findTracker, parseTrackerIssue } from '#source-links/issue-tracker.ts'
import { toIssueDraft } from './tracker.ts'

const linkFields = v.object({
  issueId: rawText,
  url: v.pipe(text, v.maxLength(limits.issueLinkCharacters, 'This URL is too long.')),
  does: v.pipe(rawText, v.picklist(['create', 'link', 'unlink'])),
})

const rejections: Record<Exclude<LinkResult, 'done'>, string> = {
  'too-many': `An issue has at most ${limits.issueLinks} links: remove one first.`,
  'not-there': 'This no longer exists.',
}

/** Creates an issue in the project's tracker, links an existing one by its URL, or removes a link. */
export const issueLinkForms = defineAction(actions.issueLink, {
  link: actionForm(linkFields, async ({ services, viewer, fields }) => {
    const { store, clock } = services
    const target = {
      issueId: parseIssueId(fields.issueId) ?? -1,
      projectIds: projectsWith(viewer, 'triage'),
    }
    const actor = { userId: viewer.userId, at: clock() }
    if (fields.does === 'unlink') {
      const result = await recordIssueUnlink(store, target, { ...actor, url: fields.url })
      return result === 'done' ? { kind: 'done', text: 'Link removed.' } : reject(rejections[result])
    }
    if (fields.does === 'create') return createIssue({ services, target, actor })
    const linked = parseTrackerIssue(fields.url)
    if (linked === undefined)
      return reject('Enter the URL of an issue, such as https://github.com/acme/shop/issues/12.')
    const result = await recordIssueLink(store, target, { ...actor, ...linked })
    return result === 'done' ? { kind: 'done', text: `Linked ${linked.name}.` } : reject(rejections[result])
  }),
})

interface NewTrackerIssue {
  services: Services
  target: LinkedIssue
  actor: Actor
}

async function createIssue({ services, target, actor }: NewTrackerIssue): Promise<FormOutcome> {
  const { store, env, issueCreator, publicOrigin: origin } = services
  const issue = await findIssue(store.db, target)
  const stored =
    issue && (await findLatestEvent(store.db, { projectId: issue.project.id, issueId: target.issueId }))
  if (issue === undefined || stored === undefined) return notThere
  const projectId = issue.project.id
  const { issueTracker, sourceLinks } = stored.projectSettings
  const tracker = findTracker(issueTracker, sourceLinks)
  if (tracker === undefined) return reject('The project has no tracker: select one under Source code.')
  const keeper = { store, secret: env.secret }
  const token = await openTrackerToken(keeper, projectId, issueTracker.sealedToken)
  if (token === undefined)
    return reject('The token of the tracker is missing or cannot be read: enter it under Source code.')
  const [latest] = await listIssueLinks(store.db, { projectId, issueId: target.issueId })
  if (latest !== undefined && actor.at - latest.createdAt < limits.trackerRepeatMs)
    return reject(`${latest.name} was linked a moment ago. Wait before you create another one.`)
  const { event } = await readEventParts(services, stored)
  const created = await issueCreator.create(tracker, token, toIssueDraft({ issue, event, origin }))
  if (!created.ok) return reject(created.problem)
  const { url, name } = created
  await recordIssueLink(store, target, { ...actor, url, name })
  return { kind: 'done', text: `Created ${name}.` }
}
