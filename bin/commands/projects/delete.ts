import { OperatorError } from '#server/errors.ts'
import { builtInProjectId } from '#server/first-projects.ts'
import { recordProjectDeletion } from '#server/store/projects/deleted.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from './store.ts'

const usage = `culvert project delete PROJECT --confirm SLUG

Deletes the project: requests with its keys are rejected, and the console no longer shows it. A running server deletes its
events, issues and source maps within the hour; "culvert retention run" deletes them immediately. Only a backup restores them.

  --confirm SLUG  the slug of the project; required`

/** `culvert project delete`: deletes a project with all its data. Requires its slug as a confirmation. */
export const projectDelete: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, { confirm: { type: 'string' } })
  const problems = new Problems()
  const text = parseOneProject(positionals, problems)
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, text)
    if (project.id === builtInProjectId)
      throw new OperatorError('Culvert itself reports to this project, so it cannot be deleted.')
    if (values.confirm !== project.slug) throw new OperatorError(confirmationText(project), 2)
    await recordProjectDeletion(store, project.id)
    context.print(`project ${project.slug} (${project.id}) is deleted\n`)
    context.report(
      'Its data is deleted within the hour while a server runs, or immediately with "culvert retention run".\n',
    )
  })
}

function confirmationText({ id, slug, name }: { id: number; slug: string; name: string }): string {
  return (
    `Nothing was deleted. Project ${id} is ${JSON.stringify(name)}; to delete it with all its data:\n` +
    `culvert project delete ${id} --confirm ${slug}`
  )
}
