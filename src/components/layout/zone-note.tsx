import { Link } from '#components/ui/link.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'

/** The time zone of all times on the page, with a link to its setting. */
export function ZoneNote() {
  return (
    <span>
      Times in{' '}
      <Link to="/settings" hash="time-zone">
        {useTimeZone()}
      </Link>
    </span>
  )
}
