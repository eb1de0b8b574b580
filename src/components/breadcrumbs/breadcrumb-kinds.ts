import type { Breadcrumb, Level } from '#protocol/event.ts'

const worstFirst: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug']

/** The kind of a breadcrumb: its type if the SDK sets one, otherwise its category up to the first dot. */
export function breadcrumbKind({ type, category }: Breadcrumb): string {
  if (type !== undefined && type !== '' && type !== 'default') return type
  return category?.split('.', 1)[0] || 'default'
}

/** Every kind with its number of breadcrumbs, the most frequent first. */
export function countKinds(breadcrumbs: readonly Breadcrumb[]): [kind: string, count: number][] {
  const counts = new Map<string, number>()
  for (const breadcrumb of breadcrumbs) {
    const kind = breadcrumbKind(breadcrumb)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

/** The levels that occur, worst first. */
export function listLevels(breadcrumbs: readonly Breadcrumb[]): Level[] {
  return worstFirst.filter((level) => breadcrumbs.some((breadcrumb) => breadcrumb.level === level))
}

/** Filters breadcrumbs by kind and minimum level; both are optional. */
export function filterBreadcrumbs(
  breadcrumbs: readonly Breadcrumb[],
  { crumbs, crumbLevel }: { crumbs?: string | undefined; crumbLevel?: Level | undefined },
): Breadcrumb[] {
  const isBadEnough = (level: Level) =>
    crumbLevel === undefined || worstFirst.indexOf(level) <= worstFirst.indexOf(crumbLevel)
  return breadcrumbs.filter(
    (breadcrumb) =>
      (crumbs === undefined || breadcrumbKind(breadcrumb) === crumbs) && isBadEnough(breadcrumb.level),
  )
}
