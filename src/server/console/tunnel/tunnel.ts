import { STATUS_CODES } from 'node:http'
import * as v from 'valibot'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { actionForm, defineAction, notThere } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import type { TunnelView, UndeliveredView, UpstreamView } from '#server/console/project-settings/views.ts'
import { rawText } from '#server/forms/fields.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listUpstreamStatuses, type UpstreamStatus } from '#server/store/upstreams/status.ts'
import {
  deleteUndelivered,
  listUndelivered,
  retryUndelivered,
  type UndeliveredReference,
} from '#server/store/upstreams/undelivered.ts'
import { remainingMs, updateUpstream } from '#server/store/upstreams/upstreams.ts'

/** The upstreams of the projects that the viewer has access to. Two statements. */
export async function getTunnelView(
  {
    store: { db },
    clock,
    env,
  }: Pick<Services, 'store' | 'clock'> & { env: Pick<Services['env'], 'tunnelPath'> },
  viewer: Viewer,
): Promise<TunnelView> {
  const configurable = projectsWith(viewer, 'configure')
  const statuses = await listUpstreamStatuses(db, reachableProjects(viewer))
  const undelivered = await listUndelivered(db, {
    projectIds: configurable,
    limit: limits.undeliveredShown,
  })
  return {
    now: clock(),
    tunnelPath: env.tunnelPath,
    canConfigure: configurable.length > 0,
    upstreams: statuses.map((status) => {
      const view = toUpstreamView(status, configurable.includes(status.projectId))
      const now = clock()
      const ahead = (at: number) => now + remainingMs(status.state, at, now)
      const held = view.held.map(({ category, until }) => ({ category, until: ahead(until) }))
      return {
        ...view,
        ...(view.retryAt !== undefined && { retryAt: ahead(view.retryAt) }),
        held: held.filter(({ until }) => until > now),
      }
    }),
    undelivered: undelivered.map(({ projectId, upstreamId, number, ...rest }): UndeliveredView => {
      const upstream = statuses.find((status) => status.upstreamId === upstreamId)
      return {
        reference: `${projectId}:${upstreamId}:${number}`,
        projectName: upstream?.project.name ?? '',
        host: upstream?.dsn.host ?? '',
        category: rest.category,
        byteCount: rest.byteCount,
        receivedAt: rest.receivedAt,
        problem: describeAnswer(rest.problem),
      }
    }),
  }
}

/** Appends the explanation to an answer: `403 Forbidden, and others were accepted`. */
function describeAnswer(answer: string): string {
  return answer.replace(/^[0-9]{3}/, (status) => `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd())
}

/** An upstream as screens show it. */
export function toUpstreamView(status: UpstreamStatus, canConfigure: boolean): UpstreamView {
  const { projectId, upstreamId, project, dsn, organization, region, state } = status
  const { deliveredAt, answer, answeredAt, failureCount = 0, retryAt, held = [] } = state
  return {
    reference: `${projectId}:${upstreamId}`,
    project,
    host: dsn.host,
    hostProjectId: dsn.projectId,
    ...(organization !== undefined && {
      query: `?o=${organization}&p=${dsn.projectId}${region === undefined ? '' : `&r=${region}`}`,
    }),
    kinds: status.kinds,
    isStoredHere: status.isStoredHere,
    isPaused: status.isPaused,
    isRetired: status.isRetired,
    canConfigure,
    deliveredCount: status.deliveredCount,
    waitingCount: status.waitingCount,
    waitingBytes: status.waitingBytes,
    oldestWaitingAt: status.oldestWaitingAt,
    failedCount: status.failedCount,
    droppedCount: status.droppedCount,
    deliveredAt,
    ...(answer !== undefined && { answer: describeAnswer(answer) }),
    answeredAt,
    failureCount,
    retryAt,
    held,
  }
}

/** The actions on an upstream, and on its rejected envelopes. */
const upstreamVerbs = ['pause', 'resume', 'try', 'retry', 'delete'] as const
type UpstreamVerb = (typeof upstreamVerbs)[number]

/**
 * Pauses, resumes or tries an upstream; retries or deletes its undelivered envelopes. `change` is
 * `VERB:PROJECT:ID`, with `:NUMBER` for one envelope.
 */
export const upstreamForms = defineAction(actions.upstream, {
  change: actionForm(v.object({ change: rawText }), async ({ services, viewer, fields }) => {
    const parsed = parseChange(fields.change)
    if (parsed === undefined || !projectsWith(viewer, 'configure').includes(parsed.projectId)) return notThere
    const { verb, ...reference } = parsed
    const count = await acts[verb](services, reference)
    if (count === 0) return notThere
    await services.projectKeys.refresh()
    await services.forwarder.refresh()
    const opposite = opposites[verb]
    return {
      kind: 'done',
      text: doneTexts[verb](count),
      ...(opposite !== undefined && {
        undo: {
          url: actions.upstream.url,
          fields: [['change', fields.change.replace(verb, opposite)]],
        },
      }),
    }
  }),
})

const opposites: Partial<Record<UpstreamVerb, UpstreamVerb>> = { pause: 'resume', resume: 'pause' }

const envelopes = (count: number) => (count === 1 ? 'The envelope' : `${count} envelopes`)

const doneTexts: Record<UpstreamVerb, (count: number) => string> = {
  pause: () => 'Paused. Events are queued.',
  resume: () => 'Resumed.',
  try: () => 'Retrying now.',
  retry: (count) => `${envelopes(count)} will be sent again.`,
  delete: (count) => `${envelopes(count)} deleted.`,
}

interface ParsedChange extends UndeliveredReference {
  verb: UpstreamVerb
}

type Act = (services: Pick<Services, 'store'>, reference: UndeliveredReference) => Promise<number>

/** The function for each verb; returns the number of changed rows. */
const acts: Record<UpstreamVerb, Act> = {
  pause: async ({ store }, reference) => Number(await updateUpstream(store, reference, { isPaused: true })),
  resume: async ({ store }, reference) => Number(await updateUpstream(store, reference, { isPaused: false })),
  try: async ({ store }, reference) => Number(await updateUpstream(store, reference, { isTriedNow: true })),
  retry: ({ store }, reference) => retryUndelivered(store, reference),
  delete: ({ store }, reference) => deleteUndelivered(store, reference),
}

function parseChange(text: string): ParsedChange | undefined {
  const [, verbText, projectId, upstreamId, number] =
    /^([a-z]{1,10}):([1-9][0-9]{0,15}):([0-9a-f]{16})(?::([1-9][0-9]{0,15}))?$/.exec(text) ?? []
  const verb = upstreamVerbs.find((each) => each === verbText)
  if (verb === undefined || upstreamId === undefined) return undefined
  return {
    verb,
    projectId: Number(projectId),
    upstreamId,
    ...(number !== undefined && { number: Number(number) }),
  }
}
