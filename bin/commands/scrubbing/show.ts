import { getProjectSettings } from '#server/store/projects/settings.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { toScrubbingReport } from './report.ts'

const usage = 'culvert scrubbing show PROJECT [--json]'

/** `culvert scrubbing show`: what is taken out of a project's events, defaults included. */
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
    context.print(
      values.json === true
        ? `${JSON.stringify({ project, scrubbing }, null, 2)}\n`
        : toScrubbingReport(project, scrubbing),
    )
  })
}
