import { toProjectDsn } from '#server/project-dsn.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert key list [PROJECT] [--json]'

/** A key as `--json` prints it. */
export interface ListedKey {
  projectId: number
  key: string
  label: string
  isActive: boolean
  dsn: string
}

/** `culvert key list`: the keys of a project, or of all, as a table or as a JSON array. */
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
    return rows.map(({ projectId, publicKey, label, isActive }) => ({
      projectId,
      key: publicKey,
      label,
      isActive,
      dsn: toProjectDsn(origin, { projectId, publicKey }),
    }))
  })
  context.print(values.json === true ? `${JSON.stringify(keys, null, 2)}\n` : toTable(keys))
}

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
