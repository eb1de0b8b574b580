import * as v from 'valibot'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { isTicked, rawText, text, texts } from '#server/forms/fields.ts'
import type { ScrubbingTrialResult } from '#server/forms/result-views.ts'
import { limits } from '#server/limits.ts'
import { cutText } from '#server/normalize/text.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import { createScrubPlan } from '#server/scrub/scrub-plan.ts'
import { scrubRuleNames, scrubRules } from '#server/scrub/scrub-rule.ts'
import type { ScrubSettings } from '#server/scrub/scrub-settings.ts'
import type { SampleEvent } from '#server/store/events/samples.ts'
import { listField } from './fields/list-field.ts'
import { tryOnEvent } from './fields/sample-trial.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const nameList = listField(
  (line) => /[\p{L}\d]/u.test(line),
  'write a name with a letter or digit, such as member_no.',
)

const scrubFields = v.object({
  isOn: isTicked,
  /** The names of the enabled rules. */
  rules: texts,
  fields: nameList,
  excludedFields: nameList,
  ipAddresses: rawText,
})

const saveScrubbing = projectForm(scrubFields, async (form) => {
  const { rules, fields, excludedFields, ...scrubbing } = toScrubSettings(form.fields)
  const outdated = await changeSettings(form, 'scrubbing', () => ({
    ...scrubbing,
    rules: { ...rules },
    fields: [...fields],
    excludedFields: [...excludedFields],
  }))
  return outdated ?? done('Scrubbing saved. It applies to new events.')
})

/** Shows what the entered settings would remove from an event; stores nothing. One statement. */
const tryTypedScrubbing = projectForm(
  v.object({ ...scrubFields.entries, event: text }),
  async ({ fields: { event, ...typed }, ...call }) =>
    tryOnEvent(call, event, (sample) => ({
      kind: 'scrubbing-trial',
      trial: tryScrubbing(sample, toScrubSettings(typed)),
    })),
)

/** The page "Scrubbing": what is removed from events before they are stored. One statement. */
export const scrubbingPage = defineProjectPage({
  page: 'scrubbing',
  title: 'Scrubbing',
  permission: 'triage',
  view: ({ project }) => {
    const { isOn, rules, fields, excludedFields, ipAddresses }: ScrubSettings = project.settings.scrubbing
    return {
      isOn,
      rules: scrubRuleNames.map((name) => ({
        name,
        mark: scrubRules[name].mark,
        isOn: rules[name] ?? scrubRules[name].isOn,
        isOnByDefault: scrubRules[name].isOn,
      })),
      fields: [...fields],
      excludedFields: [...excludedFields],
      ipAddresses,
    }
  },
  forms: { save: saveScrubbing, try: tryTypedScrubbing },
})

function toScrubSettings({
  rules,
  ipAddresses,
  ...entered
}: v.InferOutput<typeof scrubFields>): ScrubSettings {
  const changed = scrubRuleNames
    .map((rule) => [rule, rules.includes(rule)] as const)
    .filter(([rule, isOn]) => isOn !== scrubRules[rule].isOn)
  return {
    ...entered,
    rules: Object.fromEntries(changed),
    ipAddresses: ipAddresses === 'remove' ? 'remove' : 'keep',
  }
}

/** Scrubs a stored event as if it had just arrived; stores nothing. */
function tryScrubbing({ eventId, payload }: SampleEvent, scrubbing: ScrubSettings): ScrubbingTrialResult {
  const parsed = parsePayloadJson(payload)
  const before = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  const changes: ScrubbingTrialResult['changes'] = []
  const { value: after } = scrubEvent(before, createScrubPlan(scrubbing))
  for (const key of Object.keys(before)) {
    if (key !== '_meta') collectChanges(key, { before: before[key], after: after[key] }, changes)
  }
  return { eventId, changes: changes.slice(0, limits.triedChanges), changeCount: changes.length }
}

function collectChanges(
  path: string,
  { before, after }: { before: Json | undefined; after: Json | undefined },
  changes: ScrubbingTrialResult['changes'],
): void {
  if (before === after) return
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) {
    changes.push({ path, before: toText(before), after: toText(after) })
    return
  }
  const [from, to] = [
    new Map<string, Json>(Object.entries(before)),
    new Map<string, Json>(Object.entries(after)),
  ]
  for (const [key, value] of from)
    collectChanges(`${path}.${key}`, { before: value, after: to.get(key) }, changes)
}

function toText(value: Json | undefined): string {
  if (value === undefined) return ''
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), limits.triedTextCharacters)
}
