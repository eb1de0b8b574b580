import { Link } from '@tanstack/react-router'
import type { OutcomeTotal } from '#server/store/outcome-views.ts'
import { findArrivalText } from './arrival-texts.ts'

const linesShown = 6

/** What a project that waits for its first event has received: why none of it is an issue. Nothing where nothing was received. */
export function Arrivals({ totals, slug }: { totals: readonly OutcomeTotal[]; slug?: string }) {
  const lines = totals.flatMap((total) => findArrivalText(total) ?? []).slice(0, linesShown)
  if (lines.length === 0) return null
  return (
    <div className="arrivals">
      <p>In the last 24 hours:</p>
      <ul>
        {lines.map(({ text, reason }) => (
          <li key={`${text} ${reason}`}>
            {text}
            {reason === undefined ? null : (
              <>
                {' '}
                <code>{reason}</code>
              </>
            )}
          </li>
        ))}
      </ul>
      <Link to="/outcomes" search={slug === undefined ? {} : { project: slug }}>
        Reasons and samples
      </Link>
    </div>
  )
}
