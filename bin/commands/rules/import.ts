import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { formatRule } from '#alerts/sentence.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { listReceiverNames } from '#server/store/alerts/names.ts'
import { recordImportedRules } from '#server/store/alerts/rules.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { Problems } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert rule import FILE'

const exportedRules = v.pipe(
  v.string(),
  v.parseJson(undefined, 'The file is not JSON.'),
  v.array(
    v.looseObject({ project: v.nullable(v.string('"project" is a slug, or null for all projects.')) }),
    'The file has no list of rules.',
  ),
)

/**
 * `culvert rule import`: adds rules from JSON, all of them or none. A rule replaces the one with the same
 * name in the same project.
 */
export const ruleImport: Command = async (args, context) => {
  const { positionals } = readArguments(usage, args, {})
  const [path, ...more] = positionals
  const problems = new Problems()
  if (path === undefined || more.length > 0)
    problems.add('One file is needed: the output of "culvert rule export".')
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const exported = await readRules(path ?? '')
    const ids = new Map((await listProjectNames(store.db)).map(({ id, slug }) => [slug, id]))
    const imported = exported.map(({ project, ...fields }, at) => {
      const projectId = project === null ? undefined : ids.get(project)
      if (project !== null && projectId === undefined)
        throw new OperatorError(`Rule ${at + 1} belongs to the unknown project ${JSON.stringify(project)}.`)
      return { projectId, rule: requireRule(fields, at) }
    })
    const { addedCount, replacedCount } = await recordImportedRules(store, imported)
    context.print(`added     ${addedCount}\nreplaced  ${replacedCount}\n`)
    const names = await listReceiverNames(store.db)
    for (const { rule } of imported)
      if (rule.actions.some((action) => 'id' in action && !names.has(action.id)))
        context.report(
          `${rule.name}: ${formatRule(rule, names)} Its receiver does not exist here: change the rule.\n`,
        )
  })
}

async function readRules(path: string): Promise<v.InferOutput<typeof exportedRules>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OperatorError(`Cannot read ${JSON.stringify(path)}: ${errorMessage(error)}`)
  })
  const parsed = v.safeParse(exportedRules, text)
  if (parsed.success) return parsed.output
  throw new OperatorError(`${parsed.issues[0].message}\nUsage: ${usage}`)
}

function requireRule(fields: unknown, at: number): AlertRule {
  const parsed = v.safeParse(alertRule, fields)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new OperatorError(`Rule ${at + 1}: ${v.getDotPath(issue) ?? 'rule'}: ${issue.message}`)
}
