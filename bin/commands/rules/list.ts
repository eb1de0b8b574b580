import { formatRule } from '#alerts/sentence.ts'
import { listReceiverNames } from '#server/store/alerts/names.ts'
import { listAlertRules } from '#server/store/alerts/rules.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { defineListCommand } from '../projects/show-command.ts'

/** `culvert rule list`: the alert rules of a project, or of all projects, each as a sentence. */
export const ruleList = defineListCommand('culvert rule list [PROJECT] [--json]', async ({ store }, only) => {
  const slugs = new Map((await listProjectNames(store.db)).map(({ id, slug }) => [id, slug]))
  const names = await listReceiverNames(store.db)
  const rules = (await listAlertRules(store.db)).filter(
    ({ projectId }) => only === undefined || projectId === undefined || projectId === only.id,
  )
  const listed = rules.map(({ id, projectId, rule }) => ({
    id,
    project: projectId === undefined ? undefined : slugs.get(projectId),
    name: rule.name,
    isEnabled: rule.isEnabled,
    sentence: formatRule(rule, names),
  }))
  const lines = listed.map(({ id, project = 'all projects', name, isEnabled, sentence }) => {
    return `${id}  ${project}  ${name}${isEnabled ? '' : ' (disabled)'}: ${sentence}\n`
  })
  return { json: listed, text: lines.join('') }
})
