import { limits } from '#server/limits.ts'
import {
  defaultProjectSettings,
  updateProjectSettings,
  type RetentionSettings,
} from '#server/store/projects/settings.ts'
import { parseCountOption, parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { toRetentionLine } from './text.ts'

const usage = `culvert retention set PROJECT [options]

  --days N    keep events for N days
  --events N  keep at most N events
  --reset     reset all other options to their defaults`

interface RetentionChange {
  projectText: string
  change: Partial<RetentionSettings>
  isReset: boolean
}

/** `culvert retention set`: changes a project's retention and prints it. It applies from the next run. */
export const retentionSet: Command = async (args, context) => {
  const { projectText, change, isReset } = parseChange(args)
  await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, projectText)
    const { retention } = await updateProjectSettings(store, project.id, (before) => ({
      retention: { ...(isReset ? defaultProjectSettings : before).retention, ...change },
    }))
    context.print(toRetentionLine(project, retention))
  })
}

function parseChange(args: string[]): RetentionChange {
  const { values, positionals } = readArguments(usage, args, {
    days: { type: 'string' },
    events: { type: 'string' },
    reset: { type: 'boolean' },
  })
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  if (Object.keys(values).length === 0)
    problems.add('Nothing to set. "culvert retention show" prints the current settings.')
  const days = values.days === undefined ? undefined : parseCountOption(values.days, '--days', problems)
  const events =
    values.events === undefined ? undefined : parseCountOption(values.events, '--events', problems)
  if (days !== undefined && days > limits.retentionMaxDays)
    problems.add(`--days is ${days}: it must be at most ${limits.retentionMaxDays}.`)
  problems.throwIfAny(usage)
  return {
    projectText,
    change: { ...(days !== undefined && { days }), ...(events !== undefined && { events }) },
    isReset: values.reset === true,
  }
}
