import { toProjectDsn } from '#server/project-dsn.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { defineListCommand } from '../projects/show-command.ts'

/** A key as `--json` prints it. */
export interface ListedKey {
  projectId: number
  key: string
  label: string
  isActive: boolean
  dsn: string
}

/** `culvert key list`: lists the keys of a project, or of all, as a table or as JSON. */
export const keyList: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, {
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const problems = new Problems()
  if (positionals.length > 1) problems.add('One project at most: its id or its slug.')
  problems.throwIfAny(usage)
  const keys = await withProjectStore(context, async ({ store, origin }): Promise<ListedKey[]> => {
    const [text] = positionals
    const project = text === undefined ? undefined : await requireProject(store, text)
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
