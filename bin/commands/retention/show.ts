import { listProjectRetention } from '#server/retention/project-limits.ts'
import { Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { toRetentionLine } from './text.ts'

const usage = 'culvert retention show [PROJECT] [--json]'

/** `culvert retention show`: how much each project keeps, or one of them, defaults included. */
export const retentionShow: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, {
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const problems = new Problems()
  const [projectText, ...more] = positionals
  if (more.length > 0) problems.add('One project at a time.')
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const only = projectText === undefined ? undefined : await requireProject(store, projectText)
    const all = await listProjectRetention(store.db)
    const shown = all.filter(({ project }) => only === undefined || project.id === only.id)
    const json = shown.map(({ project, retention }) => ({ project, ...retention }))
    const lines = shown.map(({ project, retention }) => toRetentionLine(project, retention))
    context.print(values.json === true ? `${JSON.stringify(json, null, 2)}\n` : lines.join(''))
  })
}
