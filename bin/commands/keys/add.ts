import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { createProjectKey, listKeyRows } from '#server/store/projects/key-changes.ts'
import { parseKey, parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert key add PROJECT [--key KEY] [--label TEXT] [--disabled]'

const labelLength = limits.projectNameCharacters

/** `culvert key add`: adds a key to a project and prints its DSN. */
export const keyAdd: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, {
    key: { type: 'string' },
    label: { type: 'string' },
    disabled: { type: 'boolean' },
  })
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  const publicKey = values.key === undefined ? undefined : parseKey(values.key, '--key', problems)
  const label = (values.label ?? 'Key').trim()
  if (label === '' || label.length > labelLength)
    problems.add(`--label must have 1 to ${labelLength} characters.`)
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store, origin }) => {
    const project = await requireProject(store, projectText)
    const holder = (await listKeyRows(store.db)).find((key) => key.publicKey === publicKey)
    if (holder !== undefined) {
      throw new OperatorError(
        `This key already belongs to project ${holder.projectId}. Choose another --key.`,
      )
    }
    const isActive = values.disabled !== true
    const key = { projectId: project.id, label, isActive, publicKey }
    const created = await createProjectKey(store, key)
    const dsn = toProjectDsn(origin, { publicKey: created, projectId: project.id })
    context.print(`key  ${created}${isActive ? '' : '  (disabled)'}\nDSN  ${dsn}\n`)
  })
}
