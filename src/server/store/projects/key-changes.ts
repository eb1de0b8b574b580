import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseKeySettings, type KeySettings } from './settings.ts'

/** A key with the data of its settings page. */
export interface KeyRow {
  /** 32 lower-case hex digits. */
  publicKey: string
  projectId: number
  label: string
  isActive: boolean
  createdAt: number
  settings: KeySettings
}

/** Keys, oldest first: of one project, or of all. One statement. */
export async function listKeyRows(db: Db, projectId?: number): Promise<KeyRow[]> {
  const rows = await db
    .selectFrom('project_keys')
    .select(['public_key', 'project_id', 'label', 'is_active', 'created_at', 'settings'])
    .$if(projectId !== undefined, (all) => all.where('project_id', '=', projectId ?? 0))
    .orderBy('created_at')
    .orderBy('public_key')
    .execute()
  return rows.map((row) => ({
    publicKey: row.public_key,
    projectId: row.project_id,
    label: row.label,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    settings: parseKeySettings(row.settings),
  }))
}

/** A new key. `publicKey` is random by default. */
export interface NewKey {
  projectId: number
  label: string
  isActive: boolean
  settings?: KeySettings
  /** 32 lower-case hex digits. The insert fails if any project has it. */
  publicKey?: string
}

/** Creates a further key of a project and returns it. */
export function createProjectKey(store: Store, key: NewKey): Promise<string> {
  return insertProjectKey(store.writer, key, store.clock())
}

/** The same inside a transaction. */
export async function insertProjectKey(db: Db, key: NewKey, at: number): Promise<string> {
  const { projectId, label, isActive, settings, publicKey = randomBytes(16).toString('hex') } = key
  await db
    .insertInto('project_keys')
    .values({
      project_id: projectId,
      public_key: publicKey,
      label,
      is_active: isActive ? 1 : 0,
      created_at: at,
      ...(settings !== undefined && { settings: JSON.stringify(settings) }),
    })
    .execute()
  return publicKey
}

/** A change of a key. Absent fields are not changed. */
export interface KeyChange {
  label?: string
  isActive?: boolean
  settings?: KeySettings
}

/**
 * Changes a key. Servers in other processes see the change within `limits.projectKeysMaxAgeMs`; in this one
 * call `projectKeys.refresh()`. Returns false if no project has the key.
 */
export async function updateProjectKey(
  store: Store,
  publicKey: string,
  { label, isActive, settings }: KeyChange,
): Promise<boolean> {
  const result = await store.writer
    .updateTable('project_keys')
    .set({
      label,
      ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      ...(settings !== undefined && { settings: JSON.stringify(settings) }),
    })
    .where('public_key', '=', publicKey)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Records when an imported key was first used. Later calls, and those for other keys, change nothing. */
export async function recordFirstKeyUse({ writer, clock }: Store, publicKey: string): Promise<void> {
  const firstUsedAt = clock()
  await writer
    .transaction()
    .execute((tx) =>
      changeKeySettings(tx, publicKey, (settings) =>
        settings.importedAt === undefined || settings.firstUsedAt !== undefined
          ? undefined
          : { ...settings, firstUsedAt },
      ),
    )
}

/** Marks an existing key as imported, unless it is marked already. Call inside a transaction. */
export async function markImportedKey(tx: Tx, publicKey: string, importedAt: number): Promise<void> {
  await changeKeySettings(tx, publicKey, (settings) =>
    settings.importedAt === undefined ? { ...settings, importedAt } : undefined,
  )
}

async function changeKeySettings(
  tx: Tx,
  publicKey: string,
  change: (settings: KeySettings) => KeySettings | undefined,
): Promise<void> {
  const row = await tx
    .selectFrom('project_keys')
    .select('settings')
    .where('public_key', '=', publicKey)
    .executeTakeFirst()
  const changed = row && change(parseKeySettings(row.settings))
  if (changed === undefined) return
  await tx
    .updateTable('project_keys')
    .set({ settings: JSON.stringify(changed) })
    .where('public_key', '=', publicKey)
    .execute()
}
