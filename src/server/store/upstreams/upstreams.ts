import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { formatDsn, parseDsn, type Dsn } from '#protocol/dsn.ts'
import { parseSaasHost } from '#protocol/saas-host.ts'
import { limits } from '#server/limits.ts'
import type { UpstreamReference } from '#server/store/ingest/records.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { UpstreamsTable } from '#server/store/schema/upstreams.ts'
import type { Store } from '#server/store/store.ts'
import { hourOf } from '#time/time-steps.ts'

/** Which items of an envelope are forwarded: all, or only events with their attachments and feedback. */
export const upstreamKinds = ['all', 'errors'] as const
export type UpstreamKinds = (typeof upstreamKinds)[number]

/** An upstream of a project. */
export interface Upstream extends UpstreamReference {
  dsn: Dsn
  /**
   * The values of a tunnel's `o` and `r`. Without `organization`, only the DSN in the envelope identifies the
   * upstream.
   */
  organization?: string
  region?: string
  /** HOST:PORT to connect to instead of the DSN's host. */
  connect?: string
  kinds: UpstreamKinds
  source: 'settings' | 'environment'
  isPaused: boolean
  /** True if it accepts no more envelopes. */
  isRetired: boolean
  /** How often users have requested an immediate retry. */
  requestedRetryCount: number
}

const LimitedCategory = v.object({ category: v.string(), until: v.number() })

const PoisonCandidate = v.object({
  number: v.number(),
  failureCount: v.number(),
  roundCount: v.number(),
  /** True if the upstream has accepted other envelopes since it last failed on this one. */
  hasAcceptedOthers: v.boolean(),
})

/** How often an upstream failed on an envelope. */
export type PoisonCandidateState = v.InferOutput<typeof PoisonCandidate>

const State = v.object({
  /** When it last accepted an envelope. Unix milliseconds, like all the others. */
  deliveredAt: v.optional(v.number()),
  /** When it last answered or failed, and the answer or the failure: `200`, `503`, `connect ECONNREFUSED`. */
  answeredAt: v.optional(v.number()),
  answer: v.optional(v.string()),
  /** Consecutive failures. */
  failureCount: v.optional(v.number()),
  /** When the next attempt follows after a failure. */
  retryAt: v.optional(v.number()),
  /** The rate limits that it advertised, and their ends; the category `all` stands for all categories. */
  held: v.optional(v.array(LimitedCategory)),
  /** Queued envelopes on which it failed: a restart does not reset their counts. */
  poisonCandidates: v.optional(v.array(PoisonCandidate)),
})

/** The state of an upstream's sender, stored for the screen, other processes, and the next start. */
export type UpstreamState = v.InferOutput<typeof State>

/** All upstreams of all projects, oldest first. One statement. */
export async function listUpstreams(db: Db): Promise<Upstream[]> {
  const rows = await db.selectFrom('upstreams').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.flatMap((row) => toUpstream(row) ?? [])
}

/** Parses the `state` of a row; empty if it cannot be parsed. */
export function parseUpstreamState(text: string): UpstreamState {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), State), text)
  return result.success ? result.output : {}
}

/**
 * The milliseconds from `now` until a time in a state; 0 if it has passed. Counted from the answer that set
 * the time if the clock has been set back since.
 */
export function remainingMs({ answeredAt = 0 }: UpstreamState, at: number, now: number): number {
  return Math.max(0, at - Math.max(now, answeredAt))
}

/** The state of every upstream, by id. One statement. */
export async function readUpstreamStates(db: Db): Promise<Map<string, UpstreamState>> {
  const rows = await db.selectFrom('upstreams').select(['id', 'state']).execute()
  return new Map(rows.map((row) => [row.id, parseUpstreamState(row.state)]))
}

/** A new upstream. By default, organization and region are those in the DSN's host, if it is Sentry's. */
export interface NewUpstream {
  projectId: number
  dsn: Dsn
  organization?: string
  region?: string
  connect?: string
  kinds?: UpstreamKinds
  source?: Upstream['source']
}

/**
 * The result of creating an upstream: `taken` if a project already has this DSN, `full` if the project has
 * too many upstreams.
 */
export type CreatedUpstream =
  | { outcome: 'created'; upstreamId: string }
  | { outcome: 'taken'; by: number }
  | { outcome: 'full' }

/**
 * Creates an upstream of a project. An upstream that the environment named earlier is reactivated; one that
 * it named for another project is replaced once nothing is queued there.
 */
export async function createUpstream(store: Store, upstream: NewUpstream): Promise<CreatedUpstream> {
  const { projectId, dsn, connect, kinds = 'all', source = 'settings' } = upstream
  const text = formatDsn(dsn)
  const saas = parseSaasHost(dsn.host)
  const organization = upstream.organization ?? saas?.organization ?? null
  const region = upstream.region ?? saas?.region ?? null
  return store.writer.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('upstreams')
      .select(['project_id', 'id', 'dsn', 'is_retired', 'waiting_count', 'failed_count'])
      .execute()
    const same = rows.find((row) => row.dsn === text)
    const isLeft = same?.is_retired === 1 && same.waiting_count + same.failed_count === 0
    if (isLeft && same.project_id !== projectId) {
      await tx.deleteFrom('upstreams').where('id', '=', same.id).execute()
    } else if (same !== undefined) {
      if (same.project_id !== projectId || same.is_retired === 0)
        return { outcome: 'taken', by: same.project_id }
      await tx
        .updateTable('upstreams')
        .set({ organization, region, connect: connect ?? null, kinds, source, is_retired: 0 })
        .where('project_id', '=', projectId)
        .where('id', '=', same.id)
        .execute()
      return { outcome: 'created', upstreamId: same.id }
    }
    if (rows.filter((row) => row.project_id === projectId).length >= limits.upstreamsPerProject)
      return { outcome: 'full' }
    const upstreamId = randomBytes(8).toString('hex')
    await tx
      .insertInto('upstreams')
      .values({
        project_id: projectId,
        id: upstreamId,
        dsn: text,
        organization,
        region,
        connect: connect ?? null,
        kinds,
        source,
        created_at: store.clock(),
      })
      .execute()
    return { outcome: 'created', upstreamId }
  })
}

/** The changes of an upstream. */
export interface UpstreamChange {
  isPaused?: boolean
  isRetired?: boolean
  kinds?: UpstreamKinds
  /** Ends any current pause. */
  isTriedNow?: true
}

/** Changes an upstream. Returns false if there is none. Other servers see the change within a second. */
export async function updateUpstream(
  store: Store,
  { projectId, upstreamId }: UpstreamReference,
  { isPaused, isRetired, kinds, isTriedNow }: UpstreamChange,
): Promise<boolean> {
  const result = await store.writer
    .updateTable('upstreams')
    .set((is) => ({
      ...(isPaused !== undefined && { is_paused: isPaused ? 1 : 0 }),
      ...(isRetired !== undefined && { is_retired: isRetired ? 1 : 0 }),
      kinds,
      ...(isTriedNow && { tries_asked: is('tries_asked', '+', 1) }),
    }))
    .where('project_id', '=', projectId)
    .where('id', '=', upstreamId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Discarded envelopes. */
export interface Undelivered {
  projectId: number
  /** Relay's data category. */
  category: string
  quantity: number
  reason: string
  /** Unix milliseconds. */
  at: number
}

/** Counts dropped envelopes, inside the transaction that deletes them. */
export async function countUndelivered(tx: Tx, counted: Undelivered): Promise<void> {
  const { projectId, category, quantity, reason, at } = counted
  await tx
    .insertInto('outcome_hours')
    .values({
      project_id: projectId,
      hour: hourOf(at),
      category,
      outcome: 'undelivered',
      reason,
      quantity,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'hour', 'category', 'outcome', 'reason'])
        .doUpdateSet((is) => ({ quantity: is('outcome_hours.quantity', '+', quantity) })),
    )
    .execute()
}

/** Parses a row; undefined if its DSN is invalid. */
export function toUpstream(row: Selectable<UpstreamsTable>): Upstream | undefined {
  const dsn = parseDsn(row.dsn)
  if (dsn === undefined) return undefined
  return {
    projectId: row.project_id,
    upstreamId: row.id,
    dsn,
    organization: row.organization ?? undefined,
    region: row.region ?? undefined,
    connect: row.connect ?? undefined,
    kinds: upstreamKinds.find((kinds) => kinds === row.kinds) ?? 'all',
    source: row.source === 'environment' ? 'environment' : 'settings',
    isPaused: row.is_paused === 1,
    isRetired: row.is_retired === 1,
    requestedRetryCount: row.tries_asked,
  }
}
