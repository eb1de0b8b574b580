/** The rows that a scrolled list shows, as a range of positions, with some before and after. */
export function findShownRange(scroll: { top: number; height: number; rowHeight: number; count: number }): {
  from: number
  to: number
} {
  const extra = 10
  const from = Math.max(0, Math.floor(scroll.top / scroll.rowHeight) - extra)
  const to = Math.min(scroll.count, Math.ceil((scroll.top + scroll.height) / scroll.rowHeight) + extra)
  return { from: Math.min(from, to), to }
}
