import * as v from 'valibot'
import { isAddressEntry } from '#server/filter/client-addresses.ts'
import { filterReasons } from '#server/filter/filter-reason.ts'
import { isOriginPattern } from '#server/filter/origin-pattern.ts'
import { isOnByDefault } from '#server/filter/project-filters.ts'
import { rawText, texts } from '#server/forms/fields.ts'
import { listOutcomeSteps } from '#server/store/outcomes/outcomes.ts'
import { listDiscardedHashes, revokeDiscard } from '#server/store/triage/discarded-hashes.ts'
import { dayMs, hourOf } from '#time/time-steps.ts'
import { listField } from './fields/list-field.ts'
import { changeSettings, done, projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'

const filterFields = v.object({
  /** The reasons of the enabled filters. */
  filters: texts,
  ignoreErrors: listField(),
  errorMessages: listField(),
  releases: listField(),
  clientAddresses: listField(
    isAddressEntry,
    'write an address or a block, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.',
  ),
  transactions: listField(),
  cspSources: listField(
    isOriginPattern,
    'write one pattern, such as *.example.com or https://example.com:8443.',
  ),
})

const saveFilters = projectForm(filterFields, async (form) => {
  const { filters, ...lists } = form.fields
  const changed = filterReasons
    .map((reason) => [reason, filters.includes(reason)] as const)
    .filter(([reason, isOn]) => isOn !== isOnByDefault(reason))
  const rules = Object.fromEntries(changed)
  const outdated = await changeSettings(form, 'filters', (before) => ({ ...before, ...lists, rules }))
  return outdated ?? done('Filters saved. They apply to new events.')
})

const originFields = v.object({
  origins: listField(
    isOriginPattern,
    'write one pattern, such as *.example.com, https://example.com:8443 or *.',
  ),
})

const saveOrigins = projectForm(originFields, async (form) => {
  const outdated = await changeSettings(form, 'allowedOrigins', () => form.fields.origins)
  return outdated ?? done('Allowed origins saved.')
})

const discardFields = v.object({
  hash: v.pipe(rawText, v.regex(/^[0-9a-f]{32}$/, 'Choose one of the discarded issues.')),
})

/** Revoking a hash that is not discarded is not an error. */
const revokeDiscardOf = projectForm(discardFields, async ({ services, project, fields }) => {
  await revokeDiscard(services.store, { projectId: project.id, hash: fields.hash })
  return done('Allowed: the next event of this kind opens a new issue.')
})

/** The page "Inbound": the filters, with their filtered items of the last 7 days. Three statements. */
export const inboundPage = defineProjectPage({
  page: 'inbound',
  title: 'Inbound filters',
  permission: 'triage',
  view: async ({ services, project, view }) => {
    const { filters, allowedOrigins } = project.settings
    const steps = await listOutcomeSteps(services.store.db, {
      projectIds: [project.id],
      since: hourOf(view.now) - 7 * dayMs,
      stepMs: dayMs,
    })
    const countOf = (outcome: string, reason: string) =>
      steps
        .filter((step) => step.outcome === outcome && step.reason === reason)
        .reduce((sum, { quantity }) => sum + quantity, 0)
    const { rules: _rules, ...lists } = filters
    return {
      filters: filterReasons.map((reason) => ({
        reason,
        isOn: filters.rules[reason] ?? isOnByDefault(reason),
        isOnByDefault: isOnByDefault(reason),
        droppedCount: countOf('filtered', reason),
      })),
      lists,
      allowedOrigins: [...allowedOrigins],
      foreignOriginCount: countOf('invalid', 'cors'),
      discarded: await listDiscardedHashes(services.store.db, project.id),
    }
  },
  forms: { filters: saveFilters, origins: saveOrigins, 'let-in': revokeDiscardOf },
})
