import * as v from 'valibot'
import { formatDsn, parseDsn } from '#protocol/dsn.ts'
import { reachableProjects } from '#server/auth/viewer.ts'
import { toUpstreamView } from '#server/console/tunnel/tunnel.ts'
import { rawText, text } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { addUpstream } from '#server/forward/add-upstream.ts'
import { isPrivateHost, privateUpstreamAdvice } from '#server/forward/addresses/private-host.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { deleteUpstream } from '#server/store/upstreams/deletion.ts'
import { listUpstreamStatuses, type UpstreamStatus } from '#server/store/upstreams/status.ts'
import { changeSettings, done, projectForm, type ProjectCall } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'
import type { ProjectUpstreamView } from './views.ts'

const saveMode = projectForm(v.object({ stored: rawText }), async (form) => {
  const isStoredHere = form.fields.stored !== 'false'
  const outdated = await changeSettings(form, 'forwarding', () => ({ isStoredHere }))
  return (
    outdated ??
    done(isStoredHere ? 'Saved. Events are stored and forwarded.' : 'Saved. Events are only forwarded.')
  )
})

const upstreamFields = v.object({ dsn: text, organization: text, region: text, kinds: rawText })

/**
 * Rejects a DSN that this server would not connect to. Only the operator can set a different address to
 * connect to.
 */
const addProjectUpstream = projectForm(upstreamFields, async ({ services, project, viewer, fields }) => {
  const { dsn, organization, region, kinds } = fields
  const host = parseDsn(dsn)?.host
  if (host !== undefined && !services.env.allowsPrivateUpstreams && (await isPrivateHost(host))) {
    const message = `${host} is on this machine or a private network, to which this server does not connect. ${privateUpstreamAdvice}`
    return reject([{ field: 'dsn', message }])
  }
  const added = await addUpstream(
    services.store,
    {
      projectId: project.id,
      dsn,
      ...(organization !== '' && { organization }),
      ...(region !== '' && { region }),
      kinds: kinds === 'errors' ? 'errors' : 'all',
    },
    services.publicOrigin,
  )
  if (!added.ok) return reject([{ field: 'dsn', message: await describe(added, { services, viewer }) }])
  await services.forwarder.refresh()
  return done('Upstream added. New events are forwarded to it.')
})

/** Names the other project with this DSN only if the user has access to it. */
async function describe(
  { problem, takenBy }: { problem: string; takenBy?: number },
  { services, viewer }: Pick<ProjectCall, 'services' | 'viewer'>,
): Promise<string> {
  if (takenBy === undefined || !reachableProjects(viewer).includes(takenBy)) return problem
  const projects = await listProjectNames(services.store.db)
  const name = projects.find(({ id }) => id === takenBy)?.name
  return name === undefined ? problem : `${problem} The other project is “${name}”.`
}

const removeUpstream = projectForm(v.object({ upstream: rawText }), async ({ services, project, fields }) => {
  const removed = await deleteUpstream(services.store, { projectId: project.id, upstreamId: fields.upstream })
  if (removed === undefined) return reject('This upstream no longer exists.')
  await services.forwarder.refresh()
  return done('Upstream and its queued envelopes removed.')
})

/** The page "Upstreams". Two statements. */
export const upstreamsPage = defineProjectPage({
  page: 'upstreams',
  title: 'Upstreams',
  permission: 'configure',
  view: async ({ services, project, view }) => {
    const statuses = await listUpstreamStatuses(services.store.db, [project.id])
    return {
      isStoredHere: project.settings.forwarding.isStoredHere,
      tunnelPath: services.env.tunnelPath,
      upstreams: statuses.map((status) => toProjectUpstream(status, view.canConfigure)),
    }
  },
  forms: { mode: saveMode, add: addProjectUpstream, remove: removeUpstream },
})

function toProjectUpstream(status: UpstreamStatus, canConfigure: boolean): ProjectUpstreamView {
  const { upstreamId, dsn, connect, source, waitingCount, failedCount, deliveredCount } = status
  const { host, hostProjectId, query, kinds, isPaused, isRetired } = toUpstreamView(status, canConfigure)
  return {
    upstreamId,
    dsn: canConfigure ? formatDsn(dsn) : '',
    host,
    hostProjectId,
    query,
    connect,
    kinds,
    isFromEnvironment: source === 'environment',
    isPaused,
    isRetired,
    waitingCount,
    failedCount,
    deliveredCount,
  }
}
