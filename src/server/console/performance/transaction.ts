import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { facetsOfTransaction } from '#server/store/figures/name-id.ts'
import {
  findFigureName,
  listNames,
  readFigures,
  sumBy,
  type NamedCounts,
} from '#server/store/figures/read-figures.ts'
import type { FigureSums } from '#server/store/figures/sums.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import { listRootSamples, type RootSample } from '#server/store/traces/samples.ts'
import { apdexOf, quantileOf } from '#traces/histogram.ts'
import { toDurationBars } from './duration-bars.ts'
import type { TransactionSearch } from './performance.search.ts'
import { toDurationFigures, toRanges } from './periods.ts'
import { toReleaseFigures } from './release-figures.ts'
import type { TimeShare, StoredSample, TransactionView } from './views.ts'

/** Identifies a transaction, with the search parameters of its page. */
export interface TransactionReference extends TransactionSearch {
  /** The slug of the project. */
  project: string
  /** The id of the name. */
  transaction: string
}

/** Maximum number of samples of each kind. */
const samplesShown = 5

/** A transaction; undefined if no accessible project has it. Three rounds of statements. */
export async function findTransactionView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  { project: slug, transaction, period = '24h', environment }: TransactionReference,
): Promise<TransactionView | undefined> {
  const nameId = Number(transaction)
  const { projects, environments } = await listFilterChoices(db, reachableProjects(viewer))
  const project = projects.find((each) => each.slug === slug)
  if (project === undefined || !Number.isSafeInteger(nameId)) return undefined
  const [found, settings] = await Promise.all([
    findFigureName(db, { projectId: project.id, nameId, kind: 'transaction' }),
    getProjectSettings(db, project.id),
  ])
  if (found === undefined) return undefined
  const { apdexMs } = settings.traces
  const { name, op, firstSeenAt, isShared } = found
  const { own, shared } = facetsOfTransaction({ name, op })
  const now = clock()
  const { current, before } = toRanges(period, now)
  const ofProject = { projectIds: [project.id] }
  const ofName = { ...ofProject, nameIds: [nameId] }
  // Groups and releases are not counted per minute.
  const hours = current.step === 'minute' ? toRanges('24h', now).current : current
  const [rows, rowsBefore, releaseRows, groups, samples] = await Promise.all([
    readFigures(db, { ...ofName, series: 'transaction', ...current, facet: environment, by: 'step' }),
    readFigures(db, { ...ofName, series: 'transaction', ...before, facet: environment, by: 'name' }),
    readFigures(db, { ...ofName, series: 'release', ...hours, step: 'hour', by: 'facet' }),
    listNames(db, {
      kind: 'span',
      range: { ...ofProject, series: 'span', ...hours, facet: isShared ? own : [own, shared] },
      limit: limits.figureGroupsRead,
    }),
    listRootSamples(db, { projectId: project.id, nameId, name, op, from: current.from, to: current.to }),
  ])
  const lengthMs = Math.min(now, current.to) - current.from
  const sums = sumBy(rows, () => '').get('')
  const sumsBefore = sumBy(rowsBefore, () => '').get('')
  return {
    now,
    period,
    project,
    id: transaction,
    name,
    op,
    firstSeenAt,
    environments,
    apdexMs,
    ...(sums && {
      figures: toDurationFigures(sums, lengthMs),
      p99: (quantileOf(sums.histogram, 0.99) ?? 0) / 1000,
      apdex: apdexOf(sums.histogram, apdexMs * 1000),
    }),
    ...(sumsBefore && { before: toDurationFigures(sumsBefore, before.to - before.from) }),
    steps: [...sumBy(rows, ({ at }) => at)].map(([at, ofStep]) =>
      Object.assign(toDurationFigures(ofStep, current.stepMs), { at }),
    ),
    since: current.from,
    stepMs: current.stepMs,
    stepCount: Math.round((current.to - current.from) / current.stepMs),
    bars: sums === undefined ? [] : toDurationBars(sums.histogram),
    ...toTimeShares(groups),
    releases: toReleaseFigures(releaseRows, hours.to - hours.from),
    ...toSamples(samples, sums),
  }
}

/** The time spent per group and per category: totals of the period, in milliseconds. */
function toTimeShares(groups: readonly NamedCounts[]): Pick<TransactionView, 'categories' | 'groups'> {
  const categories = new Map<string, TimeShare>()
  for (const { op, count, sum } of groups) {
    const category = categories.get(op) ?? { category: op, name: op, count: 0, time: 0 }
    category.count += count
    category.time += sum / 1000
    categories.set(op, category)
  }
  return {
    categories: [...categories.values()].toSorted((one, other) => other.time - one.time),
    groups: groups.slice(0, limits.figureGroupsShown).map(({ nameId, op, name, count, sum }) => ({
      category: op,
      id: String(nameId),
      name,
      count,
      time: sum / 1000,
    })),
  }
}

/** The slowest samples, and those nearest to the median. */
function toSamples(
  samples: readonly RootSample[],
  sums: FigureSums | undefined,
): Pick<TransactionView, 'slow' | 'typical'> {
  const median = sums === undefined ? 0 : (quantileOf(sums.histogram, 0.5) ?? 0)
  const slow = samples.toSorted((one, other) => other.durationUs - one.durationUs).slice(0, samplesShown)
  const typical = samples
    .filter((sample) => !slow.includes(sample))
    .toSorted((one, other) => Math.abs(one.durationUs - median) - Math.abs(other.durationUs - median))
    .slice(0, samplesShown)
  return { slow: slow.map(toSample), typical: typical.map(toSample) }
}

function toSample({ traceId, startedAt, durationUs, isError }: RootSample): StoredSample {
  return { traceId, startedAt, duration: durationUs / 1000, isError }
}
