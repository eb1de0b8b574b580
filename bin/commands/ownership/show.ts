import { getProjectSettings } from '#server/store/projects/settings.ts'
import { defineShowCommand } from '../projects/show-command.ts'
import { toOwnershipReport } from './report.ts'

/** `culvert ownership show`: the code owners of a project. */
export const ownershipShow = defineShowCommand(
  'culvert ownership show PROJECT [--json]',
  async ({ store }, project) => {
    const { ownership } = await getProjectSettings(store.db, project.id)
    return { json: { project, ownership }, text: toOwnershipReport(ownership) }
  },
)
