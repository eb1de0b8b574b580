import { toProjectDsn } from '#server/project-dsn.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { defineListCommand } from '../projects/show-command.ts'

/** A key in the output of `--json`. */
export interface ListedKey {
  projectId: number
  key: string
  label: string
  isActive: boolean
  dsn: string
}

/** `culvert key list`: the keys of a project, or of all, as a table or as a JSON array. */
export const keyList = defineListCommand(
  'culvert key list [PROJECT] [--json]',
  async ({ store, origin }, project) => {
    const rows = await listKeyRows(store.db, project?.id)
    const keys = rows.map(({ projectId, publicKey, label, isActive }): ListedKey => ({
      projectId,
      key: publicKey,
      label,
      isActive,
      dsn: toProjectDsn(origin, { projectId, publicKey }),
    }))
    return { json: keys, text: toTable(keys) }
  },
)

function toTable(keys: readonly ListedKey[]): string {
  const head = ['project', 'key', 'state', 'label'] as const
  const rows = keys.map(
    ({ projectId, key, label, isActive }) =>
      [String(projectId), key, isActive ? 'active' : 'disabled', label] as const,
  )
  return [head, ...rows]
    .map(
      ([project, key, state, label]) =>
        `${project.padStart(7)}  ${key.padEnd(32)}  ${state.padEnd(8)}  ${label}\n`,
    )
    .join('')
}
