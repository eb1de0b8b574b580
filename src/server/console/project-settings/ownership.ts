import * as v from 'valibot'
import { readMappedEvent } from '#server/console/events/events.ts'
import { isTicked, multilineText, text } from '#server/forms/fields.ts'
import type { FormProblem, FormRejection } from '#server/forms/form-views.ts'
import { reject } from '#server/forms/form.ts'
import type { OwnershipTrialResult } from '#server/forms/result-views.ts'
import { limits } from '#server/limits.ts'
import { eventTraits } from '#server/normalize/event-traits.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { findSampleEvent } from '#server/store/events/samples.ts'
import { listOwnerCandidates, parseOwnership, resolveOwners } from '#server/store/projects/ownership.ts'
import type { OwnershipSettings } from '#server/store/projects/settings.ts'
import { parseCodeOwners } from '#source-links/owners/code-owners.ts'
import type { LineProblem } from '#source-links/owners/owner-line.ts'
import { parseOwnershipRules, toOwnershipSubject } from '#source-links/owners/ownership-rules.ts'
import { noSample, parseSampleField } from './fields/sample-field.ts'
import { changeSettings, done, projectForm, type ProjectCall } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const file = v.pipe(
  multilineText,
  v.maxLength(
    limits.ownershipCharacters,
    `Shorten it to ${limits.ownershipCharacters} characters, or leave out lines of other projects.`,
  ),
)
const ownershipFields = v.object({ rules: file, codeOwners: file, isAutoAssigned: isTicked })

const saveOwnership = projectForm(ownershipFields, async (form) => {
  const rejection = rejectLines(form.fields)
  if (rejection !== undefined) return rejection
  const outdated = await changeSettings(form, 'ownership', () => form.fields)
  return outdated ?? done('Ownership saved.')
})

/** Shows the owners of an event by the entered rules; stores nothing. At most two statements. */
const tryOwnership = projectForm(
  v.object({ ...ownershipFields.entries, event: text }),
  async ({ fields: { event, ...typed }, ...call }) => {
    const rejection = rejectLines(typed)
    if (rejection !== undefined) return rejection
    const trial = await readTrial(call, event, typed)
    return typeof trial === 'string'
      ? reject([{ field: 'event', message: trial }])
      : { kind: 'shown', shown: { kind: 'ownership-trial', trial } }
  },
)

async function readTrial(
  { services, project }: ProjectCall,
  event: string,
  typed: OwnershipSettings,
): Promise<OwnershipTrialResult | string> {
  const field = parseSampleField(event)
  if (!field.ok) return field.problem
  const { db } = services.store
  const [sample, users] = await Promise.all([
    findSampleEvent(db, { projectId: project.id, ...field }),
    listOwnerCandidates(db, project.id),
  ])
  if (sample === undefined) return noSample
  const { event: mapped } = await readMappedEvent(services, { ...sample, projectId: project.id })
  const subject = toOwnershipSubject(eventTraits(mapped), indexedTags(mapped))
  const ownership = parseOwnership({ ...project.settings, ownership: typed })
  const found = ownership && resolveOwners({ ownership, users }, subject)
  return {
    eventId: sample.eventId,
    paths: subject.paths.slice(0, limits.triedFrames),
    owners: found?.owners ?? [],
    rule: found && { line: found.line, text: found.text, source: found.source },
  }
}

function rejectLines({ rules, codeOwners }: OwnershipSettings): FormRejection | undefined {
  const problems = [
    ...toFormProblems('rules', parseOwnershipRules(rules).problems),
    ...toFormProblems('codeOwners', parseCodeOwners(codeOwners).problems),
  ]
  return problems.length === 0 ? undefined : reject(problems)
}

/** Maximum number of displayed problems. */
const mostProblems = 20

function toFormProblems(field: string, problems: readonly LineProblem[]): FormProblem[] {
  return problems
    .slice(0, mostProblems)
    .map(({ line, message }) => ({ field, message: `Line ${line}: ${message}` }))
}

/** The page "Ownership": the owners of code. */
export const ownershipPage = defineProjectPage({
  page: 'ownership',
  title: 'Ownership',
  permission: 'triage',
  view: ({ project: { settings } }) => ({
    ownership: settings.ownership,
    hasRoots: settings.sourceLinks.roots.length > 0,
  }),
  forms: { save: saveOwnership, try: tryOwnership },
})
