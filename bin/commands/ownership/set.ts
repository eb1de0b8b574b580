import { readFileSync } from 'node:fs'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { parseCodeOwners } from '#source-links/owners/code-owners.ts'
import type { LineProblem } from '#source-links/owners/owner-line.ts'
import { parseOwnershipRules } from '#source-links/owners/ownership-rules.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { toOwnershipReport } from './report.ts'

const usage = `culvert ownership set PROJECT [options]

  --rules FILE          the ownership rules, in Sentry's syntax
  --codeowners FILE     the CODEOWNERS file of the repository
  --auto-assign on|off  assign each new issue to its first owner`

const options = {
  rules: { type: 'string' },
  codeowners: { type: 'string' },
  'auto-assign': { type: 'string' },
} as const

/** `culvert ownership set`: replaces the rules and CODEOWNERS of a project, for example in CI. */
export const ownershipSet: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, options)
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  const rules = readLines(values.rules, { name: '--rules', parse: parseOwnershipRules }, problems)
  const codeOwners = readLines(values.codeowners, { name: '--codeowners', parse: parseCodeOwners }, problems)
  const autoAssign = values['auto-assign']
  if (autoAssign !== undefined && autoAssign !== 'on' && autoAssign !== 'off')
    problems.add('--auto-assign is on or off.')
  if (rules === undefined && codeOwners === undefined && autoAssign === undefined)
    problems.add('Set at least one option.')
  problems.throwIfAny(usage)
  await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, projectText)
    const { ownership } = await updateProjectSettings(store, project.id, ({ ownership: before }) => ({
      ownership: {
        rules: rules ?? before.rules,
        codeOwners: codeOwners ?? before.codeOwners,
        isAutoAssigned: autoAssign === undefined ? before.isAutoAssigned : autoAssign === 'on',
      },
    }))
    context.print(toOwnershipReport(ownership))
  })
}

function readLines(
  path: string | undefined,
  { name, parse }: { name: string; parse: (text: string) => { problems: readonly LineProblem[] } },
  problems: Problems,
): string | undefined {
  if (path === undefined) return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trimEnd()
  } catch (error) {
    return problems.add(`${name}: ${errorMessage(error)}`)
  }
  if (text.length > limits.ownershipCharacters)
    return problems.add(
      `${name} has ${text.length} characters: at most ${limits.ownershipCharacters} are kept.`,
    )
  for (const { line, message } of parse(text).problems) problems.add(`${name}, line ${line}: ${message}`)
  return text
}
