import * as v from 'valibot'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { isTicked, rawText, text } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import type { ProjectDetails } from '#server/store/projects/details.ts'
import { readWebhookSecret, sealTrackerToken, toWebhookPath } from '#server/trackers/tracker-secrets.ts'
import { findTracker, issueTrackers } from '#source-links/issue-tracker.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import type { ProjectSourceMapsView } from './views.ts'

/** Characters of an address, of a token. */
const addressCharacters = 500
const tokenCharacters = 500

const number = v.pipe(text, v.regex(/^\d{0,15}$/, 'Enter a number, or leave it empty.'))

const trackerFields = v.object({
  kind: v.pipe(rawText, v.picklist(['repository', 'none', ...issueTrackers])),
  url: v.pipe(
    text,
    v.maxLength(addressCharacters, 'This address is too long.'),
    v.check(
      (entered) => entered === '' || isAddress(entered),
      'Enter an address that begins with https://, without a password.',
    ),
    v.transform((entered) => entered.replace(/(?:\.git)?\/*$/, '')),
  ),
  jiraProject: number,
  jiraType: number,
  token: v.pipe(
    text,
    v.regex(/^[\x21-\x7e]*$/, 'A token has no blanks.'),
    v.maxLength(tokenCharacters, 'This token is too long.'),
  ),
  removesToken: isTicked,
  resolvesHere: isTicked,
})

/** Saves where issues are created. An empty token keeps the stored one. */
export const saveTracker = projectForm(trackerFields, async (form) => {
  const { services, project, fields } = form
  const { token, removesToken, ...settings } = fields
  const place = findTracker(settings, project.settings.sourceLinks)
  if (place === undefined && settings.kind !== 'none' && settings.kind !== 'repository')
    return reject([{ field: 'url', message: 'Enter the address of the repository or site.' }])
  if (settings.kind === 'jira' && settings.jiraProject === '')
    return reject([{ field: 'jiraProject', message: 'Jira needs the number of the project.' }])
  const takesToken = place?.kind === 'github' || place?.kind === 'gitlab'
  if (token !== '' && !takesToken)
    return reject([{ field: 'token', message: 'Tokens are for GitHub and GitLab.' }])
  const keeper = { store: services.store, secret: services.env.secret }
  const sealed = token === '' ? undefined : await sealTrackerToken(keeper, project.id, token)
  const outdated = await changeSettings(form, 'issueTracker', (before) => {
    // A token must not be sent to another host than the one that it was entered for.
    const isSamePlace =
      place !== undefined &&
      new URL(place.url).host === hostOf(findTracker(before, project.settings.sourceLinks)?.url)
    const kept = takesToken && !removesToken && isSamePlace ? before.sealedToken : ''
    return { ...settings, sealedToken: sealed ?? kept }
  })
  return outdated ?? done('Issue tracker saved.')
})

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}

function isAddress(entered: string): boolean {
  const url = URL.parse(entered)
  if (url?.username !== '' || url.password !== '') return false
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.search === '' && url.hash === ''
}

/** The settings for the form; the secret of the webhook only for those who may configure. */
export async function toIssueTrackerView(
  { store, env, publicOrigin }: Services,
  viewer: Viewer,
  { id, settings }: ProjectDetails,
): Promise<ProjectSourceMapsView['issueTracker']> {
  const { sealedToken, ...shown } = settings.issueTracker
  const mayConfigure = projectsWith(viewer, 'configure').includes(id)
  return {
    ...shown,
    hasToken: sealedToken !== '',
    webhook: mayConfigure
      ? {
          url: `${publicOrigin}${toWebhookPath(id)}`,
          secret: await readWebhookSecret({ store, secret: env.secret }, id),
        }
      : undefined,
  }
}
