import { getProjectSettings } from '#server/store/projects/settings.ts'
import { defineShowCommand } from '../projects/show-command.ts'
import { toScrubbingReport } from './report.ts'

/** `culvert scrubbing show`: the scrubbing settings of a project, including defaults. */
export const scrubbingShow = defineShowCommand(
  'culvert scrubbing show PROJECT [--json]',
  async ({ store }, project) => {
    const { scrubbing } = await getProjectSettings(store.db, project.id)
    return { json: { project, scrubbing }, text: toScrubbingReport(project, scrubbing) }
  },
)
