import { listProjectRetention } from '#server/retention/project-limits.ts'
import { defineListCommand } from '../projects/show-command.ts'
import { toRetentionLine } from './text.ts'

/** `culvert retention show`: how much each project keeps, or one of them, defaults included. */
export const retentionShow = defineListCommand(
  'culvert retention show [PROJECT] [--json]',
  async ({ store }, only) => {
    const all = await listProjectRetention(store.db)
    const shown = all.filter(({ project }) => only === undefined || project.id === only.id)
    return {
      json: shown.map(({ project, retention }) => ({ project, ...retention })),
      text: shown.map(({ project, retention }) => toRetentionLine(project, retention)).join(''),
    }
  },
)
