import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { findRejectionReason } from '#protocol/rejection.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { parseIdStart } from '#server/console/events/id-start.ts'
import { limits } from '#server/limits.ts'
import { boundJsonObject, createSmallBudget } from '#server/normalize/free-form-json.ts'
import { cutText } from '#server/normalize/text.ts'
import type { Services } from '#server/services.ts'
import { listProjectsWithDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import {
  findFilterSamples,
  listFilterSamples,
  type StoredFilterSample,
} from '#server/store/outcomes/filter-samples.ts'
import { eventCategories, listOutcomeSteps, type OutcomeStep } from '#server/store/outcomes/outcomes.ts'
import { shownOutcomes, type OutcomeTotal, type ShownOutcome } from '#server/store/outcomes/records.ts'
import {
  countPerStep,
  dayMs,
  hourMs,
  last24Hours,
  stepsUntil,
  type StepSize,
  type TimeSteps,
} from '#time/time-steps.ts'
import type { OutcomeSearch } from './outcomes.search.ts'
import type { FilterSampleView, OutcomePeriod, OutcomeSeries, OutcomeView } from './views.ts'

/** Each period has about as many steps as a chart on a phone can show. */
const periods: Record<OutcomePeriod, StepSize> = {
  '24h': last24Hours,
  '7d': { stepMs: 6 * hourMs, stepCount: 28 },
  '30d': { stepMs: dayMs, stepCount: 30 },
}

/**
 * The received items of a period, their outcomes, and samples of filtered items. Three statements, plus one
 * for the samples of an event or trace if the search contains an id.
 */
export async function getOutcomeView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  search: OutcomeSearch,
): Promise<OutcomeView> {
  const now = clock()
  const period = search.period ?? '24h'
  const span = stepsUntil(now, periods[period])
  const { since, stepMs } = span
  const reach = new Set(reachableProjects(viewer))
  const all = await listProjectsWithDeadLetters(db)
  const counted = all.filter(({ project }) => reach.has(project.id))
  const projects = counted.map(({ project }) => project).toSorted(byName)
  const sampleId = parseIdStart(search.sample ?? '')
  const named =
    sampleId === undefined ? undefined : await findFilterSamples(db, { id: sampleId, projectIds: [...reach] })
  const base = {
    now,
    projects,
    period,
    since,
    stepMs,
    ...(named && { namedSamples: named.map(toSampleView) }),
  }
  // A project that does not exist has no outcomes; ignoring the filter would show those of all projects.
  const chosen = counted.filter(
    ({ project: { slug } }) => search.project === undefined || slug === search.project,
  )
  if (chosen.length === 0) return { ...base, ...noOutcomes }
  const scope = { since, projectIds: chosen.map(({ project }) => project.id) }
  const steps = await listOutcomeSteps(db, { ...scope, stepMs })
  const samples = await listFilterSamples(db, { ...scope, perReason: limits.filterSamplesShown })
  return {
    ...base,
    series: toSeries(
      steps.filter((step) => !isUnchartedDiscard(step)),
      span,
    ),
    unchartedDiscardCount: steps.filter(isUnchartedDiscard).reduce((sum, { quantity }) => sum + quantity, 0),
    totals: toTotals(steps),
    samples: samples.filter((sample) => !isRejection(sample)).map(toSampleView),
    rejections: samples.filter(isRejection).map(toSampleView),
    deadLetterCount: countDeadLetters(chosen, viewer),
  }
}

const noOutcomes = {
  series: [],
  unchartedDiscardCount: 0,
  totals: [],
  samples: [],
  rejections: [],
  deadLetterCount: 0,
}

/** Relay's data categories that Culvert stores or counts. */
const storedCategories = new Set([
  ...eventCategories,
  'attachment',
  'feedback',
  'monitor',
  'session',
  'user_report_v2',
])

/**
 * Spans and log entries that SDKs discarded, by the thousand: nothing is lost, and they would dominate the
 * chart.
 */
function isUnchartedDiscard({ outcome, category }: OutcomeTotal): boolean {
  return outcome === 'client_discard' && !storedCategories.has(category)
}

function isRejection({ reason }: { reason: string }): boolean {
  return findRejectionReason(reason) !== undefined
}

/** Counts only dead letters of projects that the viewer may configure, as others cannot be opened. */
function countDeadLetters(
  projects: readonly { project: { id: number }; deadLetterCount: number }[],
  viewer: Viewer,
): number {
  const openable = new Set(projectsWith(viewer, 'configure'))
  return projects.reduce(
    (sum, { project, deadLetterCount }) => sum + (openable.has(project.id) ? deadLetterCount : 0),
    0,
  )
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}

function toSeries(steps: readonly OutcomeStep[], span: TimeSteps): OutcomeSeries[] {
  return shownOutcomes.flatMap((outcome) => {
    const ofOutcome = steps.filter((step) => shownOutcome(step) === outcome)
    if (ofOutcome.length === 0) return []
    const counted = ofOutcome.map(({ startAt, quantity }) => [startAt, quantity] as const)
    return [{ outcome, counts: countPerStep(counted, span) }]
  })
}

function toTotals(steps: readonly OutcomeStep[]): OutcomeTotal[] {
  const totals = new Map<string, OutcomeTotal>()
  for (const step of steps) {
    const { reason, category, quantity } = step
    const outcome = shownOutcome(step)
    const key = `${outcome}\0${reason}\0${category}`
    const total = totals.get(key)
    if (total === undefined) totals.set(key, { outcome, reason, category, quantity })
    else total.quantity += quantity
  }
  return [...totals.values()].toSorted(
    (one, other) => kindOrder(one) - kindOrder(other) || other.quantity - one.quantity,
  )
}

function kindOrder({ outcome }: OutcomeTotal): number {
  return shownOutcomes.indexOf(outcome)
}

/**
 * As in Relay, items that a server does not store count as invalid. A rejected request, whose category is
 * unknown, was sent to an endpoint that does not exist.
 */
function shownOutcome({ outcome, reason, category }: OutcomeStep): ShownOutcome {
  const isUnsupported = outcome === 'invalid' && reason === 'feature_disabled' && category !== 'unknown'
  return isUnsupported ? 'unsupported' : outcome
}

function toSampleView({ payload, ...sample }: StoredFilterSample): FilterSampleView {
  const json = payload === undefined ? undefined : parsePayloadJson(payload)
  if (json?.ok !== true || !isJsonObject(json.value)) return { ...sample, isPayloadCut: false }
  // Limited before it is formatted: indentation of deep nesting takes quadratic time and space.
  const budget = createSmallBudget()
  const text = JSON.stringify(boundJsonObject(json.value, budget), null, 2)
  return {
    ...sample,
    payloadText: cutText(text, limits.filterSampleCharacters),
    isPayloadCut: budget.isExceeded || text.length > limits.filterSampleCharacters,
  }
}
