import * as v from 'valibot'
import { rawText, text } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import { deleteArtifactBundle } from '#server/store/artifacts/bundles.ts'
import { findArtifactUsage, listArtifactBundles } from '#server/store/artifacts/list.ts'
import {
  formatSourceRoot,
  readPastedRoot,
  readRepositoryUrl,
  readSourceRoot,
} from '#source-links/source-link-input.ts'
import type { SourceLinkSettings } from '#source-links/source-link.ts'
import { listField } from './fields/list-field.ts'
import { saveTracker, toIssueTrackerView } from './issue-tracker.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const bundleFields = v.object({ bundle: v.pipe(rawText, v.transform(Number)) })

const deleteBundle = projectForm(bundleFields, async ({ services, project, fields: { bundle } }) => {
  const isDeleted =
    Number.isSafeInteger(bundle) &&
    (await deleteArtifactBundle(services.store, { projectId: project.id, bundleId: bundle }))
  if (!isDeleted) return reject('This upload was already deleted.')
  await services.sourceMaps.refresh()
  return done('Upload deleted. Affected events are shown as they were sent.')
})

const rootLines = listField(
  (line) => readSourceRoot(line) !== undefined,
  'write the path of a frame, =, and the path or the address of the same file in the repository.',
)
const linkFields = v.object({ repository: text, host: rawText, branch: text, roots: rootLines })

const saveLinks = projectForm(linkFields, async (form) => {
  const { repository, host, branch, roots } = form.fields
  const read = repository === '' ? undefined : readRepositoryUrl(repository, host)
  if (read?.ok === false) {
    const field = read.problem.startsWith('Choose') ? 'host' : 'repository'
    return reject([{ field, message: read.problem }])
  }
  const link = {
    host: read?.host ?? 'github',
    url: read?.url ?? '',
    branch: branch === '' ? 'main' : branch,
  }
  const readRoots = roots.map((line) => readPastedRoot(line, link))
  const wrong = readRoots.find((each) => !each.ok)
  if (wrong?.ok === false) return reject([{ field: 'roots', message: wrong.problem }])
  const outdated = await changeSettings(form, 'sourceLinks', (before) => ({
    ...link,
    host: read?.host ?? before.host,
    roots: readRoots.flatMap((each) => (each.ok ? [each.root] : [])),
  }))
  return outdated ?? done(read ? 'Source links saved. They apply to all events.' : 'Source links removed.')
})

/** The page "Source code": links and uploads, optionally of one release. Three statements. */
export const sourceMapsPage = defineProjectPage({
  page: 'source-maps',
  title: 'Source code',
  permission: 'read',
  view: async ({ services, viewer, project, release }) => {
    const { db } = services.store
    const [bundles, usage] = await Promise.all([
      listArtifactBundles(db, { projectId: project.id, release }),
      findArtifactUsage(db, { projectId: project.id }),
    ])
    const membership = viewer.memberships.find(
      ({ organizationId }) => organizationId === project.organizationId,
    )
    return {
      bundles,
      usage,
      limitBytes: limits.artifactBytesPerProject,
      unusedDays: limits.artifactUnusedDays,
      origin: services.publicOrigin,
      organizationSlug: membership?.organizationSlug ?? '',
      release,
      sourceLinks: toLinksView(project.settings.sourceLinks),
      issueTracker: await toIssueTrackerView(services, viewer, project),
    }
  },
  forms: { delete: deleteBundle, links: saveLinks, tracker: saveTracker },
})

function toLinksView({ host, url, branch, roots }: SourceLinkSettings) {
  return { repository: url, host: url === '' ? '' : host, branch, roots: roots.map(formatSourceRoot) }
}
