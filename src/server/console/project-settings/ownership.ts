import * as v from 'valibot'
import { readMappedEvent } from '#server/console/events/events.ts'
import { isTicked, multilineText, text } from '#server/forms/fields.ts'
import type { FormRejection } from '#server/forms/form-views.ts'
import { limits } from '#server/limits.ts'
import { eventTraits } from '#server/normalize/event-traits.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { listOwnerCandidates, parseOwnership, resolveOwners } from '#server/store/projects/ownership.ts'
import type { OwnershipSettings } from '#server/store/projects/settings.ts'
import { parseCodeOwners } from '#source-links/owners/code-owners.ts'
import { parseOwnershipRules, toOwnershipSubject } from '#source-links/owners/ownership-rules.ts'
import { rejectLines } from './fields/line-problems.ts'
import { tryOnEvent } from './fields/sample-trial.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
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
  const rejection = rejectFiles(form.fields)
  if (rejection !== undefined) return rejection
  const outdated = await changeSettings(form, 'ownership', () => form.fields)
  return outdated ?? done('Ownership saved.')
})

/** Shows the owners of an event by the entered rules; stores nothing. At most two statements. */
const tryOwnership = projectForm(
  v.object({ ...ownershipFields.entries, event: text }),
  async ({ fields: { event, ...typed }, services, project, viewer }) =>
    rejectFiles(typed) ??
    tryOnEvent({ services, project, viewer }, event, async (sample) => {
      const [{ event: mapped }, users] = await Promise.all([
        readMappedEvent(services, { ...sample, projectId: project.id }),
        listOwnerCandidates(services.store.db, project.id),
      ])
      const subject = toOwnershipSubject(eventTraits(mapped), indexedTags(mapped))
      const ownership = parseOwnership({ ...project.settings, ownership: typed })
      const found = ownership && resolveOwners({ ownership, users }, subject)
      const trial = {
        eventId: sample.eventId,
        paths: subject.paths.slice(0, limits.triedFrames),
        owners: found?.owners ?? [],
        rule: found && { line: found.line, text: found.text, source: found.source },
      }
      return { kind: 'ownership-trial', trial }
    }),
)

function rejectFiles({ rules, codeOwners }: OwnershipSettings): FormRejection | undefined {
  return rejectLines({
    rules: parseOwnershipRules(rules).problems,
    codeOwners: parseCodeOwners(codeOwners).problems,
  })
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
