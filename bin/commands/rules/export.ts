import { listAlertRules } from '#server/store/alerts/rules.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { defineListCommand } from '../projects/show-command.ts'

/** `culvert rule export`: rules as JSON that `culvert rule import` reads. */
export const ruleExport = defineListCommand('culvert rule export [PROJECT]', async ({ store }, only) => {
  const slugs = new Map((await listProjectNames(store.db)).map(({ id, slug }) => [id, slug]))
  const rules = await listAlertRules(store.db)
  const exported = rules
    .filter(({ projectId }) => only === undefined || projectId === only.id)
    .map(({ projectId, rule }) => {
      const project = projectId === undefined ? null : (slugs.get(projectId) ?? null)
      return Object.assign({ project }, rule)
    })
  return { json: exported, text: `${JSON.stringify(exported, null, 2)}\n` }
})
