import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import { defineShowCommand } from '../projects/show-command.ts'
import { toLimitsReport } from './report.ts'

const usage = 'culvert limits show PROJECT [--json]'

/** `culvert limits show`: prints a project's limits, with defaults. */
export const limitsShow: Command = async (args, context) => {
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
    const settings = await getProjectSettings(store.db, project.id)
    const keys = await listKeyRows(store.db, project.id)
    const { rateLimits, spikeGuard, allowedOrigins } = settings
    const ofKeys = Object.fromEntries(keys.map((key) => [key.publicKey, key.settings.rateLimits]))
    return {
      json: { project, rateLimits: { ...rateLimits, keys: ofKeys }, spikeGuard, allowedOrigins },
      text: toLimitsReport(project, settings, keys),
    }
  },
)
