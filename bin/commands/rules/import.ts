import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { alertRule } from '#alerts/rule-schema.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { findOrganizationOfRule, recordImportedRules, type RuleToImport } from '#server/store/alerts/rules.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { Db } from '#server/store/schema/database.ts'
import { Problems } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { findReceiver, readReceivers, type Receivers } from './receivers.ts'

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
 * name in the same project. Its receivers must exist, as in the console and the API.
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
    const parsed = exported.map(({ project, ...fields }, at) => {
      const projectId = project === null ? undefined : ids.get(project)
      if (project !== null && projectId === undefined)
        throw new OperatorError(`Rule ${at + 1} belongs to the unknown project ${JSON.stringify(project)}.`)
      return { projectId, rule: requireRule(fields, at) }
    })
    const imported = await findReceivers(store.db, parsed)
    const { addedCount, replacedCount } = await recordImportedRules(store, imported)
    context.print(`added     ${addedCount}\nreplaced  ${replacedCount}\n`)
  })
}

/**
 * Replaces names and email addresses of receivers by their ids. Throws an `OperatorError` with all unknown
 * receivers: such a rule would never notify anyone, or never match.
 */
async function findReceivers(db: Db, imported: readonly RuleToImport[]): Promise<RuleToImport[]> {
  const known = new Map<number, Receivers>()
  const problems: string[] = []
  const found: RuleToImport[] = []
  for (const [at, { projectId, rule }] of imported.entries()) {
    const organizationId = await findOrganizationOfRule(db, projectId)
    const receivers = known.get(organizationId) ?? (await readReceivers(db, organizationId))
    known.set(organizationId, receivers)
    const idOf = (kind: 'person' | 'destination', text: string) => {
      const receiver = findReceiver(receivers, kind, text)
      if ('id' in receiver) return receiver.id
      problems.push(`Rule ${at + 1} (${rule.name}): ${receiver.problem}`)
      return text
    }
    const actions = rule.actions.map((each) =>
      'id' in each ? { ...each, id: idOf(each.kind, each.id) } : each,
    )
    const filters = rule.filters.map((each) =>
      each.kind === 'assignee' ? { ...each, id: idOf('person', each.id) } : each,
    )
    found.push({ projectId, rule: { ...rule, actions, filters } })
  }
  if (problems.length === 0) return found
  throw new OperatorError(`${problems.join('\n')}\n${howToImport}`)
}

const howToImport =
  'No rule was imported. Write the email address of a member or the name of a destination as the "id" of the receiver, or remove it.'

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
