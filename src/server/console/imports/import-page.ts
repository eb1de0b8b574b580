import * as v from 'valibot'
import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { rawText, text } from '#server/forms/fields.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import type { ImportJob } from '#server/import/import-job.ts'
import type { SeenImportJob } from '#server/import/import-runner.ts'
import { readSentryDump } from '#server/import/sources/sentry-dump.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listComparedIssues } from '#server/store/imports/imported-issues.ts'
import { getCutOver } from './cut-over.ts'
import type { ImportJobView, ImportView } from './views.ts'

/** The latest import, the steps of the cut-over, and the imported counts. */
export async function getImportView(services: Services, viewer: Viewer): Promise<ImportView> {
  const { store, clock, env, importRunner } = services
  if (!canImport(viewer))
    return { now: clock(), canImport: false, isServerless: env.isServerless, compared: [] }
  const projectIds = reachableProjects(viewer)
  const [found, cutOver, compared] = await Promise.all([
    importRunner.find(),
    getCutOver(store, projectIds),
    listComparedIssues(store.db, { projectIds, limit: limits.comparedIssues }),
  ])
  return {
    now: clock(),
    canImport: true,
    isServerless: env.isServerless,
    job: found && toJobView(found),
    cutOver,
    compared,
  }
}

const trackerNames = { sentry: 'Sentry', glitchtip: 'GlitchTip', bugsink: 'Bugsink' }

function toJobView({ job, isInterrupted }: SeenImportJob): ImportJobView {
  const { state, source, report, share, progress, problem, results } = job
  const isBusy = state === 'reading' || state === 'running'
  return {
    state,
    isAtWork: isBusy && !isInterrupted,
    isInterrupted,
    source: `${trackerNames[source.tracker]}, ${source.url === '' ? 'a backup' : source.url}`,
    report,
    share,
    progress,
    problem,
    results,
  }
}

/** True for admins and owners of the organization that imports go into. */
export function canImport(viewer: Viewer): boolean {
  return findRole(viewer) !== undefined
}

/** The role of a viewer who may import; undefined for others. */
function findRole(viewer: Viewer) {
  return viewer.memberships.find(
    ({ organizationId, role }) => organizationId === firstOrganizationId && isAllowed(role, 'configure'),
  )?.role
}

interface ImportCall {
  services: Services
  addsOwners: boolean
}

const importForm = formsFor<ImportCall>()

const sourceFields = v.object({
  tracker: v.pipe(rawText, v.picklist(['sentry', 'glitchtip', 'bugsink'])),
  url: v.pipe(
    text,
    v.nonEmpty('Enter the URL of the tracker.'),
    v.maxLength(limits.issueLinkCharacters, 'This URL is too long.'),
    v.check(isTrackerAddress, 'Enter a URL that begins with https://, such as https://sentry.example.com.'),
  ),
  token: v.pipe(
    text,
    v.nonEmpty('Enter a token of the tracker.'),
    v.regex(/^[\x21-\x7e]{1,500}$/, 'A token contains no spaces.'),
  ),
  organization: v.pipe(text, v.regex(/^[\w.-]{0,100}$/, 'Enter the slug of the organization.')),
  eventCount: v.pipe(
    text,
    v.transform((entered) => (entered === '' ? limits.importedEvents : Number(entered))),
    v.check(
      (count) => Number.isInteger(count) && count >= 1 && count <= limits.importedEventsMax,
      `Enter a number from 1 to ${limits.importedEventsMax}.`,
    ),
  ),
})

function isTrackerAddress(entered: string): boolean {
  const url = URL.parse(entered)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === ''
}

const busy = reject('Another import is running. Wait for it, or discard it.')

const read = importForm(sourceFields, async ({ services, addsOwners, fields }) => {
  const { token, ...source } = fields
  const isBegun = await services.importRunner.begin({ source, token, addsOwners })
  return isBegun ? done('Reading the tracker. Nothing is changed yet.') : busy
})

const apply = importForm(v.object({}), async ({ services }) =>
  (await services.importRunner.apply()) ? done('Import started.') : reject('There is nothing to import.'),
)

const discard = importForm(v.object({}), async ({ services }) => {
  await services.importRunner.discard()
  return done('Discarded. Imported data remains.')
})

function done(noticeText: string): FormOutcome {
  return { kind: 'done', text: noticeText }
}

/** The forms of `/settings/import`. */
export const importForms = definePageForms<ImportCall>(
  { read, apply, discard },
  {
    prepare: ({ services, viewer }: FormCall): Promise<Prepared<ImportCall>> =>
      Promise.resolve(prepareCall(services, viewer)),
  },
)

function prepareCall(services: Services, viewer: Viewer | undefined): Prepared<ImportCall> {
  if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
  const role = findRole(viewer)
  if (role === undefined) return { outcome: reject('Only admins and owners can import.', 403) }
  if (services.env.isServerless)
    return { outcome: reject('This host has no background jobs. Use the command line.') }
  return { context: { services, addsOwners: role === 'owner' } }
}

/** Starts the import of an uploaded backup. Returns an error message if it cannot start. */
export async function uploadBackup(
  services: Services,
  viewer: Viewer,
  file: { content: string; organization: string },
): Promise<string | undefined> {
  const prepared = prepareCall(services, viewer)
  if (!('context' in prepared)) return 'Only admins and owners can import.'
  const source: Omit<ImportJob['source'], 'sealedToken'> = {
    tracker: 'sentry',
    url: '',
    organization: file.organization,
    eventCount: limits.importedEvents,
  }
  try {
    const plan = readSentryDump(file.content, file.organization === '' ? undefined : file.organization)
    const { addsOwners } = prepared.context
    const isBegun = await services.importRunner.begin({ source, plan, addsOwners })
    return isBegun ? undefined : 'Another import is running. Wait for it, or discard it.'
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return errorMessage(error)
  }
}
