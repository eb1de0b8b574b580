import { Link } from '#components/ui/link.tsx'
import type { ArrivalLine } from '#server/console/outcomes/views.ts'

/**
 * Lists the items that a project without events has received, each with the reason why it created no issue.
 * Renders nothing if the list is empty.
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
