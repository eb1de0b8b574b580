import { listProjectRetention } from '#server/retention/project-limits.ts'
import { defineListCommand } from '../projects/show-command.ts'
import { toRetentionLine } from './text.ts'

const usage = 'culvert retention show [PROJECT] [--json]'

/** `culvert retention show`: prints the retention of one or all projects, with defaults. */
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
    return {
      json: shown.map(({ project, retention }) => ({ project, ...retention })),
      text: shown.map(({ project, retention }) => toRetentionLine(project, retention)).join(''),
    }
  },
)
