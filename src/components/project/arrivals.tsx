import { Link } from '@tanstack/react-router'
import type { ArrivalLine } from '#server/console/outcomes/views.ts'

/**
 * What a project that waits for its first event has received: why none of it is an issue. Nothing where
 * nothing was received.
 */
export function Arrivals({
  lines,
  slug,
}: {
  lines: readonly ArrivalLine[] | undefined
  slug: string | undefined
}) {
  if (lines === undefined || lines.length === 0) return null
  return (
    <div className="arrivals">
      <p>Last 24 hours:</p>
      <ul>
        {lines.map(({ text, reason }) => (
          <li key={text + reason}>
            {text} {reason === undefined ? null : <code>{reason}</code>}
          </li>
        ))}
      </ul>
      <Link to="/outcomes" search={{ project: slug }}>
        Reasons and samples
      </Link>
    </div>
  )
}
