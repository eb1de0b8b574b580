import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import { defineShowCommand } from '../projects/show-command.ts'
import { toLimitsReport } from './report.ts'

/** `culvert limits show`: the limits of a project, including defaults. */
export const limitsShow = defineShowCommand(
  'culvert limits show PROJECT [--json]',
  async ({ store }, project) => {
    const settings = await getProjectSettings(store.db, project.id)
    const keys = await listKeyRows(store.db, project.id)
    const { rateLimits, spikeProtection, allowedOrigins } = settings
    const ofKeys = Object.fromEntries(keys.map((key) => [key.publicKey, key.settings.rateLimits]))
    return {
      json: { project, rateLimits: { ...rateLimits, keys: ofKeys }, spikeProtection, allowedOrigins },
      text: toLimitsReport(project, settings, keys),
    }
  },
)
