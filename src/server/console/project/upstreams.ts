import { formatDsn, parseDsn } from '#protocol/dsn.ts'
import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectUpstreamsView, ProjectUpstreamView } from '#server/console/project-views.ts'
import { toUpstreamView } from '#server/console/tunnel.ts'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { isPrivateHost, privateUpstreamAdvice } from '#server/forward/private-host.ts'
import type { Services } from '#server/services.ts'
import { deleteUpstream } from '#server/store/upstream-deletion.ts'
import { listUpstreamStatuses, type UpstreamStatus } from '#server/store/upstream-status.ts'
import { changeSettings } from './form-mark.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

/** The page "Upstreams". Two statements. */
export async function getUpstreamsView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectUpstreamsView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const statuses = await listUpstreamStatuses(services.store.db, [project.id])
  return {
    ...view,
    isStoredHere: project.settings.forwarding.isStoredHere,
    tunnelPath: services.env.tunnelPath,
    upstreams: statuses.map((status) => toProjectUpstream(status, view.mayConfigure)),
  }
}

function toProjectUpstream(status: UpstreamStatus, mayConfigure: boolean): ProjectUpstreamView {
  const { upstreamId, dsn, connect, source, waitingCount, failedCount, deliveredCount } = status
  const { host, hostProjectId, query, kinds, isPaused, isRetired } = toUpstreamView(status, mayConfigure)
  return {
    upstreamId,
    dsn: mayConfigure ? formatDsn(dsn) : '',
    host,
    hostProjectId,
    ...(query !== undefined && { query }),
    ...(connect !== undefined && { connect }),
    kinds,
    isFromEnvironment: source === 'environment',
    isPaused,
    isRetired,
    waitingCount,
    failedCount,
    deliveredCount,
  }
}

/** Saves whether what the project gets is stored here too. */
export async function saveMode(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const isStoredHere = fields['stored'] !== 'false'
  const stale = await changeSettings(form, 'forwarding', () => ({ isStoredHere }))
  return stale ?? goToProject(project, 'upstreams')
}

/**
 * Adds an upstream, unless this server would not connect to it. What is dialled cannot be said here: that is for who runs the
 * server.
 */
export async function addProjectUpstream({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const organization = fields['organization']?.trim() ?? ''
  const region = fields['region']?.trim() ?? ''
  const host = parseDsn(fields['dsn']?.trim() ?? '')?.host
  if (host !== undefined && !services.env.allowsPrivateUpstreams && (await isPrivateHost(host)))
    return refuseForm(fields, [
      {
        field: 'dsn',
        message: `${host} is on this machine or a private network, and this server connects to neither. ${privateUpstreamAdvice}`,
      },
    ])
  const added = await addUpstream(
    services.store,
    {
      projectId: project.id,
      dsn: fields['dsn']?.trim() ?? '',
      ...(organization !== '' && { organization }),
      ...(region !== '' && { region }),
      kinds: fields['kinds'] === 'errors' ? 'errors' : 'all',
    },
    services.publicOrigin,
  )
  if (!added.ok) return refuseForm(fields, [{ field: 'dsn', message: added.problem }])
  await services.forwarder.refresh()
  return goToProject(project, 'upstreams', 'upstream-added')
}

/** Removes an upstream with all that waits for it. */
export async function removeUpstream({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const upstreamId = fields['upstream'] ?? ''
  const removed = await deleteUpstream(services.store, { projectId: project.id, upstreamId })
  if (removed === undefined)
    return refuseForm(fields, [{ message: 'The project has no such upstream any more.' }])
  await services.forwarder.refresh()
  return goToProject(project, 'upstreams', 'upstream-removed')
}
