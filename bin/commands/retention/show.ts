import { listProjectRetention } from '#server/retention/project-limits.ts'
import { defineListCommand } from '../projects/show-command.ts'
import { toRetentionLine } from './text.ts'

/** `culvert retention show`: the retention of each project, or of one, including defaults. */
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
