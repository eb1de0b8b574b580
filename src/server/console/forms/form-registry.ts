import { accountForms } from '#server/console/account/account-settings.ts'
import { apiTokenForms } from '#server/console/account/api-tokens.ts'
import { forgottenPasswordForms } from '#server/console/account/forgotten-password.ts'
import { inviteForms, passwordLinkForms, setupForms } from '#server/console/account/link-forms.ts'
import { loginForms, signOutForms } from '#server/console/account/login.ts'
import { memberForms } from '#server/console/account/members.ts'
import { destinationForms } from '#server/console/alerts/destinations.ts'
import { inboxForms } from '#server/console/alerts/inbox.ts'
import { notificationForms } from '#server/console/alerts/notification-settings.ts'
import { unsubscribeForms } from '#server/console/alerts/unsubscribe.ts'
import { importForms } from '#server/console/imports/import-page.ts'
import { issueAssigneeForms, issueStatusForms, issueUndoForms } from '#server/console/issues/actions.ts'
import { issueCommentForms } from '#server/console/issues/comments.ts'
import { issueLinkForms } from '#server/console/issues/link-forms.ts'
import { issueDeletionForms, issueMergeForms, issueUnmergeForms } from '#server/console/issues/merging.ts'
import { savedSearchForms } from '#server/console/issues/saved-searches.ts'
import {
  monitorForms,
  monitorListForms,
  newMonitorForms,
  newUptimeForms,
} from '#server/console/monitors/monitor-forms.ts'
import { statusPageForms } from '#server/console/monitors/status-page.ts'
import { deadLetterForms } from '#server/console/outcomes/dead-letters.ts'
import { newProjectForms } from '#server/console/project-settings/new-project.ts'
import { projectPages } from '#server/console/project-settings/pages.ts'
import { upstreamForms } from '#server/console/tunnel/tunnel.ts'
import type { FormCall, PageForms } from '#server/forms/define-page-forms.ts'
import { reject, type FormFieldNames, type FormOutcome } from '#server/forms/form.ts'
import { busyText } from '#server/forms/posted-form.ts'
import { actions } from './actions.search.ts'

/** The forms of every page and of the actions, by path. */
const pages: Record<string, PageForms> = {
  [actions.issueStatus.url]: issueStatusForms,
  [actions.issueAssignee.url]: issueAssigneeForms,
  [actions.issueMerge.url]: issueMergeForms,
  [actions.issueUnmerge.url]: issueUnmergeForms,
  [actions.issueDeletion.url]: issueDeletionForms,
  [actions.issueComment.url]: issueCommentForms,
  [actions.issueLink.url]: issueLinkForms,
  [actions.issueUndo.url]: issueUndoForms,
  [actions.savedSearch.url]: savedSearchForms,
  [actions.upstream.url]: upstreamForms,
  [actions.deadLetter.url]: deadLetterForms,
  [actions.inbox.url]: inboxForms,
  '/login': loginForms,
  '/sign-out': signOutForms,
  '/setup': setupForms,
  '/invite/$token': inviteForms,
  '/password/$token': passwordLinkForms,
  '/forgot-password': forgottenPasswordForms,
  '/unsubscribe/$token': unsubscribeForms,
  '/settings': accountForms,
  '/settings/members': memberForms,
  '/settings/tokens': apiTokenForms,
  '/settings/notifications': notificationForms,
  '/settings/destinations': destinationForms,
  '/settings/status-page': statusPageForms,
  '/settings/import': importForms,
  '/monitors': monitorListForms,
  '/monitors/new': newMonitorForms,
  '/monitors/new-uptime': newUptimeForms,
  '/monitors/$project/$slug': monitorForms,
  '/projects/new': newProjectForms,
  ...Object.fromEntries(
    Object.entries(projectPages).map(([page, { forms }]) => [
      page === 'general' ? '/projects/$slug' : `/projects/$slug/${page}`,
      forms,
    ]),
  ),
}

const patterns = Object.entries(pages).map(([path, forms]) => ({ page: path, parts: path.split('/'), forms }))

/** The forms of the page with a path, and the parameters in the path. */
export function findPageForms(
  pathname: string,
): { page: string; forms: PageForms; params: Record<string, string> } | undefined {
  const parts = pathname.replace(/\/$/, '').split('/').map(decodePart)
  for (const { page, parts: pattern, forms } of patterns) {
    const params = matchParts(pattern, parts)
    if (params !== undefined) return { page, forms, params }
  }
  return undefined
}

/** Every form: the path of its page with placeholders, the value of `action`, and its other fields. */
export function listForms(): ({ page: string; action: string } & FormFieldNames)[] {
  return Object.entries(pages).flatMap(([page, { forms }]) =>
    Object.entries(forms).map(([action, { fields, fieldsByChoice }]) => ({
      page,
      action,
      fields,
      fieldsByChoice,
    })),
  )
}

/** Handles a form of the page with a path, which shows the reply itself. */
export async function handlePageForm(pathname: string, call: Omit<FormCall, 'params'>): Promise<FormOutcome> {
  const page = findPageForms(pathname)
  if (page === undefined) return reject('This page has no forms. Reload it.')
  const { forms, params } = page
  const leave = await forms.gate({ ...call, params })
  if (leave === undefined) return reject(busyText, 429)
  try {
    return await forms.submit({ ...call, params })
  } finally {
    leave()
  }
}

function matchParts(
  pattern: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.entries()) {
    const part = parts[at] ?? ''
    if (expected.startsWith('$')) params[expected.slice(1)] = part
    else if (expected !== part) return undefined
  }
  return params
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
