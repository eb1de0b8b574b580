import type { FormOutcome } from '#server/auth/page-form.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import type { ProjectInboundView } from '#server/console/project-views.ts'
import { isAddressEntry } from '#server/filter/client-addresses.ts'
import { filterReasons } from '#server/filter/filter-reason.ts'
import { isOriginPattern } from '#server/filter/origin-pattern.ts'
import { isOnByDefault } from '#server/filter/project-filters.ts'
import type { Services } from '#server/services.ts'
import { listDiscardedHashes, revokeDiscard } from '#server/store/discarded-hashes.ts'
import { hourOf } from '#server/store/hour.ts'
import { listOutcomeSteps } from '#server/store/outcomes.ts'
import { changeSettings } from './form-mark.ts'
import { parseList, type ListField } from './list-field.ts'
import { getProjectPage } from './page.ts'
import { goToProject, refuseForm, type ProjectForm } from './post.ts'

const dayMs = 86_400_000

/** The page "Inbound": what is let in, with what was not in the last 7 days. Three statements. */
export async function getInboundView(
  services: Services,
  viewer: Viewer,
  slug: string,
): Promise<ProjectInboundView> {
  const { project, view } = await getProjectPage(services, viewer, slug)
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
    ...view,
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
}

const anyText = { isRight: () => true, whatIsRight: '' }

/** The lists of the form, each under the name it has in the settings. */
const listFields = [
  { name: 'ignoreErrors', ...anyText },
  { name: 'errorMessages', ...anyText },
  { name: 'releases', ...anyText },
  {
    name: 'clientAddresses',
    isRight: isAddressEntry,
    whatIsRight: 'write an address or a block, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.',
  },
  { name: 'transactions', ...anyText },
  {
    name: 'cspSources',
    isRight: isOriginPattern,
    whatIsRight: 'write one pattern, such as *.example.com or https://example.com:8443.',
  },
] as const satisfies ListField[]

/** Saves which filters are on, and the project's own patterns. */
export async function saveFilters(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const lists: Record<string, string[]> = {}
  const problems: { field: string; message: string }[] = []
  for (const field of listFields) {
    const read = parseList(fields[field.name] ?? '', field)
    if (read.ok) lists[field.name] = read.lines
    else problems.push(read)
  }
  if (problems.length > 0) return refuseForm(fields, problems)
  const changed = filterReasons
    .map((reason) => [reason, fields[reason] !== undefined] as const)
    .filter(([reason, isOn]) => isOn !== isOnByDefault(reason))
  const rules = Object.fromEntries(changed)
  const stale = await changeSettings(form, 'filters', (before) => ({ ...before, ...lists, rules }))
  return stale ?? goToProject(project, 'inbound')
}

/** Saves which pages may send. */
export async function saveOrigins(form: ProjectForm): Promise<FormOutcome> {
  const { project, fields } = form
  const read = parseList(fields['origins'] ?? '', {
    name: 'origins',
    isRight: isOriginPattern,
    whatIsRight: 'write one pattern, such as *.example.com, https://example.com:8443 or *.',
  })
  if (!read.ok) return refuseForm(fields, [read])
  const stale = await changeSettings(form, 'allowedOrigins', () => read.lines)
  return stale ?? goToProject(project, 'inbound')
}

/** Lets the events of a discarded hash in again. One that is let in already is no mistake. */
export async function letInAgain({ services, project, fields }: ProjectForm): Promise<FormOutcome> {
  const hash = fields['hash'] ?? ''
  if (!/^[0-9a-f]{32}$/.test(hash))
    return refuseForm({}, [{ message: 'Choose one of the discarded issues.' }])
  await revokeDiscard(services.store, { projectId: project.id, hash })
  return goToProject(project, 'inbound')
}
