import { getProjectSettings } from '#server/store/projects/settings.ts'
import { defineShowCommand } from '../projects/show-command.ts'
import { toScrubbingReport } from './report.ts'

const usage = 'culvert scrubbing show PROJECT [--json]'

/** `culvert scrubbing show`: prints a project's data scrubbing, with defaults. */
export const scrubbingShow: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, {
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, projectText)
    const { scrubbing } = await getProjectSettings(store.db, project.id)
    return { json: { project, scrubbing }, text: toScrubbingReport(project, scrubbing) }
  },
)
