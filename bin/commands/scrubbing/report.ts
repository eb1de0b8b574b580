import { scrubRuleNames, scrubRules } from '#server/scrub/scrub-rule.ts'
import type { ScrubSettings } from '#server/scrub/scrub-settings.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** Formats a project's data scrubbing, one setting per line, in the terms of `scrubbing set`. */
export function toScrubbingReport(project: ProjectName, settings: ScrubSettings): string {
  const isOn = (rule: (typeof scrubRuleNames)[number]) => settings.rules[rule] ?? scrubRules[rule].isOn
  const areFieldsIdle = settings.fields.length > 0 && !(settings.isOn && isOn('fields'))
  const lines: [string, string][] = [
    ['project', `${project.id} ${project.name}`],
    ['scrubbing', settings.isOn ? 'on' : 'off'],
    ['on', listOf(scrubRuleNames.filter(isOn))],
    ['off', listOf(scrubRuleNames.filter((rule) => !isOn(rule)))],
    [
      'fields',
      `${listOf(settings.fields)}${areFieldsIdle ? '  (not active: the rule "fields" or scrubbing is off)' : ''}`,
    ],
    ['except', listOf(settings.excludedFields)],
    ['addresses', settings.ipAddresses === 'keep' ? 'kept' : 'removed'],
  ]
  return lines.map(([name, value]) => `${name.padEnd(9)}  ${value}\n`).join('')
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(' ')
}
