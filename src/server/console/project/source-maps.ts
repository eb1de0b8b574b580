import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectSourceMapsView } from '#server/console/project-views.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { deleteArtifactBundle } from '#server/store/artifact-bundles.ts'
import { findArtifactUsage, listArtifactBundles } from '#server/store/artifact-list.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "Source maps": what was uploaded, of one release where it is named. Three statements. */
export async function getSourceMapsView(
  services: Services,
  viewer: Viewer,
  { slug, release }: { slug: string; release?: string | undefined },
): Promise<ProjectSourceMapsView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const { db } = services.store
  const [bundles, usage] = await Promise.all([
    listArtifactBundles(db, { projectId: project.id, ...(release !== undefined && { release }) }),
    findArtifactUsage(db, project.id),
  ])
  const membership = viewer.memberships.find(
    ({ organizationId }) => organizationId === project.organizationId,
  )
  return {
    ...view,
    bundles,
    usage,
    limitBytes: limits.artifactBytesPerProject,
    unusedDays: limits.artifactUnusedDays,
    origin: services.publicOrigin,
    organizationSlug: membership?.organizationSlug ?? '',
    ...(release !== undefined && { release }),
  }
}

/** Deletes an upload. */
export async function deleteBundle({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const text = fields['bundle'] ?? ''
  const bundleId = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  const isGone =
    Number.isSafeInteger(bundleId) &&
    (await deleteArtifactBundle(services.store, { projectId: project.id, bundleId }))
  if (!isGone) return refuseForm(fields, [{ message: 'This upload is gone already.' }])
  await services.sourceMaps.refresh()
  return goToProject(project, 'source-maps', 'source-maps-deleted')
}
