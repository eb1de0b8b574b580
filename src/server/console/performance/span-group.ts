import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { findFigureName, readFigures, sumBy } from '#server/store/figures/read-figures.ts'
import { listSpanTransactions, type TransactionOfSpans } from '#server/store/figures/span-transactions.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import { quantileOf } from '#traces/histogram.ts'
import { toDurationBars } from './duration-bars.ts'
import type { SpanGroupSearch } from './performance.search.ts'
import { toDurationFigures, toRanges } from './periods.ts'
import type { SpanGroupView, SpanTransaction } from './views.ts'

/** Identifies a group of spans, with the search parameters of its page. */
export interface SpanGroupReference extends SpanGroupSearch {
  /** The slug of the project. */
  project: string
  /** The id of the name. */
  group: string
}

/** A group of spans; undefined if no accessible project has it. Three rounds of statements. */
export async function findSpanGroupView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  { project: slug, group, period = '24h' }: SpanGroupReference,
): Promise<SpanGroupView | undefined> {
  const nameId = Number(group)
  const { projects } = await listFilterChoices(db, reachableProjects(viewer))
  const project = projects.find((each) => each.slug === slug)
  if (project === undefined || !Number.isSafeInteger(nameId)) return undefined
  const found = await findFigureName(db, { projectId: project.id, nameId, kind: 'span' })
  if (found === undefined) return undefined
  const now = clock()
  const { current, before } = toRanges(period, now)
  const ofGroup = { projectIds: [project.id], nameIds: [nameId], series: 'group', by: 'name' } as const
  const [rows, rowsBefore, transactions] = await Promise.all([
    readFigures(db, { ...ofGroup, ...current }),
    readFigures(db, { ...ofGroup, ...before }),
    listSpanTransactions(db, {
      projectId: project.id,
      groupId: nameId,
      step: current.step,
      from: current.from,
      to: current.to,
    }),
  ])
  const sums = sumBy(rows, () => '').get('')
  const sumsBefore = sumBy(rowsBefore, () => '').get('')
  return {
    now,
    period,
    project,
    id: group,
    category: found.op,
    name: found.name,
    firstSeenAt: found.firstSeenAt,
    ...(sums && {
      figures: toDurationFigures(sums, Math.min(now, current.to) - current.from),
      p99: (quantileOf(sums.histogram, 0.99) ?? 0) / 1000,
    }),
    ...(sumsBefore && { before: toDurationFigures(sumsBefore, before.to - before.from) }),
    bars: sums === undefined ? [] : toDurationBars(sums.histogram),
    transactions: toSpanTransactions(transactions).slice(0, limits.figuresPerPage),
    moreTransactions: Math.max(0, transactions.length - limits.figuresPerPage),
  }
}

function toSpanTransactions(transactions: readonly TransactionOfSpans[]): SpanTransaction[] {
  const all = transactions.reduce((total, { sum }) => total + sum, 0)
  return transactions.map(({ nameId, op, name, count, sum }) => ({
    ...(nameId !== undefined && { id: String(nameId) }),
    name,
    op,
    count,
    time: sum / 1000,
    timeShare: all === 0 ? 0 : sum / all,
  }))
}
