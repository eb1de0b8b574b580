import type { ProjectName } from '#server/store/projects/records.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore, type ProjectStore } from './store.ts'

/** The output of a command, with and without `--json`. */
export interface ShownData {
  json: unknown
  text: string
}

/** Defines a command that shows data of one project: `PROJECT [--json]`. */
export function defineShowCommand(
  usage: string,
  show: (opened: ProjectStore, project: ProjectName) => Promise<ShownData>,
): Command {
  return createCommand(usage, parseOneProject, async (opened, text) =>
    show(opened, await requireProject(opened.store, text)),
  )
}

/** Defines a command that shows data of one project, or of all: `[PROJECT] [--json]`. */
export function defineListCommand(
  usage: string,
  show: (opened: ProjectStore, project: ProjectName | undefined) => Promise<ShownData>,
): Command {
  return createCommand(usage, parseOptionalProject, async (opened, text) =>
    show(opened, text === undefined ? undefined : await requireProject(opened.store, text)),
  )
}

function parseOptionalProject([text, ...more]: readonly string[], problems: Problems): string | undefined {
  if (more.length > 0) problems.add('One project at most: its id or its slug.')
  return text
}

function createCommand<Text>(
  usage: string,
  parse: (positionals: readonly string[], problems: Problems) => Text,
  show: (opened: ProjectStore, text: Text) => Promise<ShownData>,
): Command {
  return async (args, context) => {
    const options = { json: { type: 'boolean' } } as const
    const { values, positionals } = readArguments(usage, args, options)
    const problems = new Problems()
    const projectText = parse(positionals, problems)
    problems.throwIfAny(usage)
    const { json, text } = await withProjectStore(context, (opened) => show(opened, projectText))
    context.print(values.json === true ? `${JSON.stringify(json, null, 2)}\n` : text)
  }
}
