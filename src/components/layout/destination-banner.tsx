import { Link } from '#components/ui/link.tsx'
import { exactCount } from '#numbers/number-text.ts'

/** Maximum number of shown names. */
const namesShown = 3

/** Warns admins on every page that alerts are not delivered, because an alert cannot. */
export function DestinationBanner({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const more = names.length - namesShown
  return (
    <p className="banner" role="status">
      <strong>Alerts do not arrive</strong> at <bdi>{names.slice(0, namesShown).join(', ')}</bdi>
      {more > 0 ? ` and ${exactCount(more)} more` : null}.{' '}
      <Link to="/settings/destinations" search={{}}>
        Destinations
      </Link>
    </p>
  )
}
