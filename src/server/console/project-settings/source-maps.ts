import * as v from 'valibot'
import { rawText } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import { deleteArtifactBundle } from '#server/store/artifacts/bundles.ts'
import { findArtifactUsage, listArtifactBundles } from '#server/store/artifacts/list.ts'
import { done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const bundleFields = v.object({ bundle: v.pipe(rawText, v.transform(Number)) })

const deleteBundle = projectForm(bundleFields, async ({ services, project, fields: { bundle } }) => {
  const isDeleted =
    Number.isSafeInteger(bundle) &&
    (await deleteArtifactBundle(services.store, { projectId: project.id, bundleId: bundle }))
  if (!isDeleted) return reject('This upload has been deleted already.')
  await services.sourceMaps.refresh()
  return done('Upload deleted. Events that it was applied to are shown as they were sent.')
})

/** The page "Source maps": the uploads, of one release where it is named. Three statements. */
export const sourceMapsPage = defineProjectPage({
  page: 'source-maps',
  title: 'Source maps',
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
    }
  },
  forms: { delete: deleteBundle },
})
