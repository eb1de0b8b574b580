import * as v from 'valibot'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { isTicked, rawText, text } from '#server/forms/fields.ts'
import type { FormProblem } from '#server/forms/form-views.ts'
import { reject } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import type { ProjectDetails } from '#server/store/projects/details.ts'
import { findLinearTeam } from '#server/trackers/linear-issue.ts'
import {
  readWebhookSecret,
  sealLinearSecret,
  sealTrackerToken,
  toWebhookPath,
} from '#server/trackers/tracker-secrets.ts'
import { findTracker, issueTrackers, type TrackerTarget } from '#source-links/issue-tracker.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import type { ProjectSourceMapsView } from './views.ts'

/** Maximum characters of a URL, an email address (RFC 5321) and a token. */
const addressCharacters = 500
const emailCharacters = 254
const tokenCharacters = 500

const number = v.pipe(text, v.regex(/^\d{0,15}$/, 'Enter a number, or leave it empty.'))

const secretText = v.pipe(
  text,
  v.regex(/^[\x21-\x7e]*$/, 'Tokens and secrets contain no spaces.'),
  v.maxLength(tokenCharacters, 'This is too long.'),
)

const trackerFields = v.object({
  kind: v.pipe(rawText, v.picklist(['repository', 'none', ...issueTrackers])),
  url: v.pipe(
    text,
    v.maxLength(addressCharacters, 'This URL is too long.'),
    v.check(
      (entered) => entered === '' || isAddress(entered),
      'Enter a URL that begins with https://, without a password.',
    ),
    v.transform((entered) => entered.replace(/(?:\.git)?\/*$/, '')),
  ),
  jiraProject: number,
  jiraType: number,
  jiraEmail: v.pipe(
    text,
    v.regex(/^(?:[^\s:@]+@[^\s:@]+)?$/, 'Enter an email address, or leave it empty.'),
    v.maxLength(emailCharacters, 'This URL is too long.'),
  ),
  token: secretText,
  webhookSecret: secretText,
  removesToken: isTicked,
  resolvesHere: isTicked,
})

type TrackerFields = v.InferOutput<typeof trackerFields>

/** Saves the tracker in which issues are created. An empty token or secret keeps the stored one. */
export const saveTracker = projectForm(trackerFields, async (form) => {
  const { services, project, fields } = form
  const { token, removesToken, webhookSecret, ...settings } = fields
  const { sourceLinks, issueTracker: stored } = project.settings
  const target = findTracker(settings, sourceLinks)
  // A token must not be sent to a host other than the one it was entered for.
  const keepsToken =
    !removesToken &&
    hostOf(target?.url) !== undefined &&
    hostOf(target?.url) === hostOf(findTracker(stored, sourceLinks)?.url)
  const isByToken = token !== '' || (keepsToken && stored.sealedToken !== '')
  const problem = findProblem(fields, target, isByToken)
  if (problem !== undefined) return reject([problem])
  const keeper = { store: services.store, secret: services.env.secret }
  const sealed = token === '' ? undefined : await sealTrackerToken(keeper, project.id, token)
  const sealedSecret =
    webhookSecret === '' ? undefined : await sealLinearSecret(keeper, project.id, webhookSecret)
  const outdated = await changeSettings(form, 'issueTracker', (before) => ({
    ...settings,
    sealedToken: sealed ?? (keepsToken ? before.sealedToken : ''),
    sealedWebhookSecret: sealedSecret ?? (target?.kind === 'linear' ? before.sealedWebhookSecret : ''),
  }))
  return outdated ?? done('Issue tracker saved.')
})

function findProblem(
  { kind, jiraProject, jiraType, token, webhookSecret }: TrackerFields,
  target: TrackerTarget | undefined,
  isByToken: boolean,
): FormProblem | undefined {
  if (target === undefined && kind !== 'none' && kind !== 'repository')
    return { field: 'url', message: 'Enter the URL of the repository or site.' }
  if (kind === 'jira' && jiraProject === '')
    return { field: 'jiraProject', message: 'Jira needs the numeric ID of the project.' }
  if (kind === 'jira' && isByToken && jiraType === '')
    return { field: 'jiraType', message: 'With a token, Jira needs the number of the issue type.' }
  if (token !== '' && target === undefined)
    return { field: 'token', message: 'A token needs a tracker: choose one, or leave it empty.' }
  if (kind === 'linear' && isByToken && findLinearTeam(target?.url ?? '') === undefined)
    return {
      field: 'url',
      message: 'With a token, enter the address of the team, such as https://linear.app/acme/team/ENG.',
    }
  if (webhookSecret !== '' && kind !== 'linear')
    return {
      field: 'webhookSecret',
      message: 'This is only for Linear. Enter the secret under “Webhook” into the tracker.',
    }
  return undefined
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}

function isAddress(entered: string): boolean {
  const url = URL.parse(entered)
  if (url?.username !== '' || url.password !== '') return false
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.search === '' && url.hash === ''
}

/** The settings for the form, with the webhook's secret only for users who may configure. */
export async function toIssueTrackerView(
  { store, env, publicOrigin }: Services,
  viewer: Viewer,
  { id, settings }: ProjectDetails,
): Promise<ProjectSourceMapsView['issueTracker']> {
  const { sealedToken, sealedWebhookSecret, ...shown } = settings.issueTracker
  const canConfigure = projectsWith(viewer, 'configure').includes(id)
  return {
    ...shown,
    hasToken: sealedToken !== '',
    hasWebhookSecret: sealedWebhookSecret !== '',
    webhook: canConfigure
      ? {
          url: `${publicOrigin}${toWebhookPath(id)}`,
          secret: await readWebhookSecret({ store, secret: env.secret }, id),
        }
      : undefined,
  }
}
