import { isJsonObject, type Json } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectScrubbingView, ScrubbingTrial } from '#server/console/project-views.ts'
import { limits } from '#server/limits.ts'
import { cutText } from '#server/normalize/text.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import { scrubRuleNames, scrubRules } from '#server/scrub/scrub-rule.ts'
import type { ScrubSettings } from '#server/scrub/scrub-settings.ts'
import type { Services } from '#server/services.ts'
import { findSampleEvent, type SampleEvent } from '#server/store/sample-events.ts'
import { changeSettings } from './form-mark.ts'
import { parseList, type ListField } from './list-field.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'
import { noSample, parseSampleField } from './sample-field.ts'

/** The page "Scrubbing": what is taken out of events before they are stored. At most two statements. */
export async function getScrubbingView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectScrubbingView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
  const { isOn, rules, fields, excludedFields, ipAddresses }: ScrubSettings = project.settings.scrubbing
  const shown = {
    ...view,
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
  const values = view.form?.values
  if (values?.['action'] !== 'try' || !view.mayConfigure) return shown
  const parsed = parseScrubbing(values)
  if (!parsed.ok) return shown
  const field = parseSampleField(values['event'] ?? '')
  const sample = field.ok
    ? await findSampleEvent(services.store.db, { projectId: project.id, ...field })
    : undefined
  if (sample === undefined)
    return { ...shown, trial: { ok: false, problem: field.ok ? noSample : field.problem } }
  return { ...shown, trial: { ok: true, ...tryScrubbing(sample, parsed.scrubbing) } }
}

/** Saves what is taken out. */
export async function saveScrubbing(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const parsed = parseScrubbing(fields)
  if (!parsed.ok) return refuseForm(fields, parsed.problems)
  const { scrubbing } = parsed
  const stale = await changeSettings(form, 'scrubbing', () => ({
    ...scrubbing,
    rules: { ...scrubbing.rules },
    fields: [...scrubbing.fields],
    excludedFields: [...scrubbing.excludedFields],
  }))
  return stale ?? goToProject(project, 'scrubbing')
}

/** Shows the page once more, with what the typed settings would take out of an event. */
export function tryTypedScrubbing({ fields }: ProjectForm): Promise<FormOutcome> {
  const parsed = parseScrubbing(fields)
  const refusal = parsed.ok ? undefined : refuseForm(fields, parsed.problems)
  return Promise.resolve(refusal ?? { kind: 'again', status: 200, values: fields, problems: [] })
}

type ParsedScrubbing =
  | { ok: true; scrubbing: ScrubSettings }
  | { ok: false; problems: { field: string; message: string }[] }

const nameField = (name: string): ListField => ({
  name,
  isRight: (line) => /[\p{L}\d]/u.test(line),
  whatIsRight: 'write a name with a letter or digit, such as member_no.',
})

function parseScrubbing(fields: Record<string, string>): ParsedScrubbing {
  const own = parseList(fields['fields'] ?? '', nameField('fields'))
  const excluded = parseList(fields['excludedFields'] ?? '', nameField('excludedFields'))
  if (!own.ok || !excluded.ok)
    return { ok: false, problems: [own, excluded].flatMap((read) => (read.ok ? [] : [read])) }
  const changed = scrubRuleNames
    .map((rule) => [rule, fields[`rule-${rule}`] !== undefined] as const)
    .filter(([rule, isOn]) => isOn !== scrubRules[rule].isOn)
  return {
    ok: true,
    scrubbing: {
      isOn: fields['isOn'] !== undefined,
      rules: Object.fromEntries(changed),
      fields: own.lines,
      excludedFields: excluded.lines,
      ipAddresses: fields['ipAddresses'] === 'remove' ? 'remove' : 'keep',
    },
  }
}

/** Scrubs an event as if it arrived as it is stored; nothing is stored. */
function tryScrubbing({ eventId, payload }: SampleEvent, scrubbing: ScrubSettings): ScrubbingTrial {
  const parsed = parsePayloadJson(payload)
  const before = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  const changes: ScrubbingTrial['changes'] = []
  const { value: after } = scrubEvent(before, scrubbing)
  for (const key of Object.keys(before)) {
    if (key !== '_meta') collectChanges(key, { before: before[key], after: after[key] }, changes)
  }
  return { eventId, changes: changes.slice(0, limits.triedChanges), changeCount: changes.length }
}

function collectChanges(
  path: string,
  { before, after }: { before: Json | undefined; after: Json | undefined },
  changes: ScrubbingTrial['changes'],
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
