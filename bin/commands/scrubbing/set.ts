import { isScrubRule, scrubRuleNames, scrubRules } from '#server/scrub/scrub-rule.ts'
import { defaultScrubSettings, type ScrubSettings } from '#server/scrub/scrub-settings.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { parseOneProject, Problems, requireProject } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'
import { toScrubbingReport } from './report.ts'

const usage = `culvert scrubbing set PROJECT [options]

  --on RULE, --off RULE       switch a rule: ${scrubRuleNames.slice(0, 9).join(', ')},
                              ${scrubRuleNames.slice(9).join(', ')}
  --field NAME                scrub the values of fields with this name; none clears the list
  --except NAME               never scrub fields with this name; none clears the list
  --ip-addresses keep|remove  remove: empty address fields, and replace addresses in texts
  --scrubbing on|off          off: store events as sent
  --reset                     reset all other options to their defaults

--on, --off, --field and --except can be repeated.`

const options = {
  on: { type: 'string', multiple: true },
  off: { type: 'string', multiple: true },
  field: { type: 'string', multiple: true },
  except: { type: 'string', multiple: true },
  'ip-addresses': { type: 'string' },
  scrubbing: { type: 'string' },
  reset: { type: 'boolean' },
} as const

interface ScrubbingChange {
  projectText: string
  settings: Partial<ScrubSettings>
  isReset: boolean
}

/** `culvert scrubbing set`: changes a project's data scrubbing. A server applies it within a second. */
export const scrubbingSet: Command = async (args, context) => {
  const { projectText, settings, isReset } = parseChange(args)
  await withProjectStore(context, async ({ store }) => {
    const project = await requireProject(store, projectText)
    const { scrubbing } = await updateProjectSettings(store, project.id, ({ scrubbing: current }) => {
      const before: ScrubSettings = isReset ? defaultScrubSettings : current
      const { isOn, ipAddresses, fields, excludedFields } = { ...before, ...settings }
      const rules = withoutDefaults({ ...before.rules, ...settings.rules })
      return {
        scrubbing: { isOn, ipAddresses, rules, fields: [...fields], excludedFields: [...excludedFields] },
      }
    })
    context.print(toScrubbingReport(project, scrubbing))
  })
}

function withoutDefaults(rules: ScrubSettings['rules']): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(rules).filter(([rule, isOn]) => !isScrubRule(rule) || scrubRules[rule].isOn !== isOn),
  )
}

function parseChange(args: string[]): ScrubbingChange {
  const { values, positionals } = readArguments(usage, args, options)
  const problems = new Problems()
  const projectText = parseOneProject(positionals, problems)
  if (Object.keys(values).length === 0)
    problems.add('Nothing to set. "culvert scrubbing show" prints the current settings.')
  const isOn = parseChoice({ name: '--scrubbing', text: values.scrubbing, choices: ['on', 'off'] }, problems)
  const ipAddresses = parseChoice(
    { name: '--ip-addresses', text: values['ip-addresses'], choices: ['keep', 'remove'] },
    problems,
  )
  const settings: Partial<ScrubSettings> = {
    rules: { ...parseRules('--on', values.on, problems), ...parseRules('--off', values.off, problems) },
    ...(isOn !== undefined && { isOn: isOn === 'on' }),
    ...(ipAddresses !== undefined && { ipAddresses }),
    ...(values.field !== undefined && { fields: parseNames('--field', values.field, problems) }),
    ...(values.except !== undefined && { excludedFields: parseNames('--except', values.except, problems) }),
  }
  problems.throwIfAny(usage)
  return { projectText, settings, isReset: values.reset === true }
}

function parseChoice<Choice extends string>(
  { name, text, choices }: { name: string; text: string | undefined; choices: readonly Choice[] },
  problems: Problems,
): Choice | undefined {
  const choice = choices.find((each) => each === text)
  if (choice !== undefined || text === undefined) return choice
  return problems.add(`${name} is ${JSON.stringify(text)}: it must be ${choices.join(' or ')}.`)
}

function parseRules(
  name: '--on' | '--off',
  texts: readonly string[] = [],
  problems: Problems,
): Record<string, boolean> {
  for (const text of texts) {
    if (!isScrubRule(text))
      problems.add(`${name} is ${JSON.stringify(text)}: the rules are ${scrubRuleNames.join(', ')}.`)
  }
  return Object.fromEntries(texts.map((text) => [text, name === '--on']))
}

function parseNames(name: string, texts: readonly string[], problems: Problems): string[] {
  if (texts.length === 1 && texts[0] === 'none') return []
  for (const text of texts) {
    if (!/[\p{L}\d]/u.test(text))
      problems.add(`${name} is ${JSON.stringify(text)}: it must be a name with a letter or digit, or none.`)
  }
  return [...texts]
}
