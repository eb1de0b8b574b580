import { limits } from '#server/limits.ts'
import { sumBy, type FigureRow } from '#server/store/figures/read-figures.ts'
import { compareReleases } from '#server/store/releases/order.ts'
import { toDurationFigures } from './periods.ts'
import type { TransactionView } from './views.ts'

/** The figures of releases, newest first: by version, or by its first transaction. `rows`: by time. */
export function toReleaseFigures(rows: readonly FigureRow[], lengthMs: number): TransactionView['releases'] {
  const firstSeen = new Map(rows.toReversed().map(({ facet, at }) => [facet, at]))
  return [...sumBy(rows, ({ facet }) => facet)]
    .map(([version, sums]) =>
      Object.assign(toDurationFigures(sums, lengthMs), { version, firstSeenAt: firstSeen.get(version) ?? 0 }),
    )
    .toSorted((one, other) => other.firstSeenAt - one.firstSeenAt)
    .toSorted((one, other) => compareReleases(dated(other), dated(one)))
    .slice(0, limits.figureReleasesShown)
}

function dated({ version, firstSeenAt }: TransactionView['releases'][number]) {
  return { version, datedAt: firstSeenAt }
}
