import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { sortByName } from '#server/store/name-order.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'

/** A receiver of alerts other than a user. Times in Unix milliseconds. */
export interface StoredDestination {
  id: string
  organizationId: number
  name: string
  /** The kind of a channel. */
  channel: string
  settings: Readonly<Record<string, string>>
  /** True if this version cannot read the settings, which are then empty. */
  isUnreadable: boolean
  /** Encrypted. */
  sealedSecret?: string
  /** When it was disabled; nothing has been sent since. */
  disabledAt?: number
  disabledReason?: string
  /** Every attempt since then has failed. */
  failingSince?: number
  lastError?: string
}

/** A destination of an organization. */
export interface DestinationReference {
  organizationId: number
  destinationId: string
}

/** The fields of a form. The caller creates the id, because the secret is encrypted for it. */
export type DestinationValues = Pick<StoredDestination, 'name' | 'channel' | 'settings' | 'sealedSecret'>

const settingsText = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()))

/** Creates an id for a new destination. */
export function createDestinationId(): string {
  return randomUUID()
}

/** Adds a destination. Returns false if the organization has reached the limit. */
export function recordDestination(
  store: Store,
  { organizationId, destinationId }: DestinationReference,
  values: DestinationValues,
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    const { count } = await tx
      .selectFrom('alert_destinations')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    if (count >= limits.alertDestinations) return false
    await tx
      .insertInto('alert_destinations')
      .values({
        id: destinationId,
        organization_id: organizationId,
        ...toColumns(values),
        created_at: store.clock(),
        disabled_at: null,
        disabled_reason: null,
        failing_since: null,
        last_error: null,
      })
      .execute()
    return true
  })
}

/** Replaces the entered fields, and enables the destination. Returns false if there is none. */
export async function updateDestination(
  store: Store,
  reference: DestinationReference,
  values: DestinationValues,
): Promise<boolean> {
  const { numUpdatedRows } = await store.writer
    .updateTable('alert_destinations')
    .set({ ...toColumns(values), ...working, disabled_at: null, disabled_reason: null })
    .where('organization_id', '=', reference.organizationId)
    .where('id', '=', reference.destinationId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const working = { failing_since: null, last_error: null } as const

/** Enables or disables a destination. `disabledReason`: absent to enable it. False if there is none. */
export async function recordDestinationState(
  store: Store,
  { organizationId, destinationId }: DestinationReference,
  { disabledReason }: { disabledReason?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await store.writer
    .updateTable('alert_destinations')
    .set(
      disabledReason === undefined
        ? { ...working, disabled_at: null, disabled_reason: null }
        : { ...working, disabled_at: store.clock(), disabled_reason: disabledReason },
    )
    .where('organization_id', '=', organizationId)
    .where('id', '=', destinationId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a destination with its pending messages. Returns false if there is none. */
export async function deleteDestination(
  store: Store,
  { organizationId, destinationId }: DestinationReference,
): Promise<boolean> {
  const { numDeletedRows } = await store.writer
    .deleteFrom('alert_destinations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', destinationId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The destinations of an organization, or of all organizations, by name. One statement. */
export async function listDestinations(db: Db, organizationId?: number): Promise<StoredDestination[]> {
  const rows = await db
    .selectFrom('alert_destinations')
    .selectAll()
    .$if(organizationId !== undefined, (of) => of.where('organization_id', '=', organizationId ?? 0))
    .orderBy('id')
    .execute()
  return sortByName(rows.map(toDestination), ({ name }) => name)
}

/** A destination of an organization; undefined if there is none. */
export async function findDestination(
  db: Db,
  { organizationId, destinationId }: DestinationReference,
): Promise<StoredDestination | undefined> {
  const row = await db
    .selectFrom('alert_destinations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', destinationId)
    .executeTakeFirst()
  return row && toDestination(row)
}

/** A destination of any organization, for the holder of a link with its id; undefined if there is none. */
export async function findDestinationById(
  db: Db,
  destinationId: string,
): Promise<StoredDestination | undefined> {
  const row = await db
    .selectFrom('alert_destinations')
    .selectAll()
    .where('id', '=', destinationId)
    .executeTakeFirst()
  return row && toDestination(row)
}

function toColumns({ name, channel, settings, sealedSecret }: DestinationValues) {
  return { name, channel, settings: JSON.stringify(settings), secrets: sealedSecret ?? null }
}

function toDestination(row: Database['alert_destinations']): StoredDestination {
  const settings = parseColumn(settingsText, row.settings, { table: 'alert_destinations', id: row.id })
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    channel: row.channel,
    settings: settings ?? {},
    isUnreadable: settings === undefined,
    sealedSecret: row.secrets ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
    disabledReason: row.disabled_reason ?? undefined,
    failingSince: row.failing_since ?? undefined,
    lastError: row.last_error ?? undefined,
  }
}
