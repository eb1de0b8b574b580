import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { RejectedRequestsView } from '#server/console/project-settings/views.ts'

/** The rejected requests of the last 24 hours, by reason. Renders nothing if there are none. */
export function RejectedRequests({
  slug,
  rejected,
}: {
  slug: string
  rejected: readonly RejectedRequestsView[]
}) {
  if (rejected.length === 0) return null
  return (
    <Panel id="rejected-requests" title="Rejected requests" note="24 hours">
      <ul className="panel-text">
        {rejected.map(({ reason, requestCount, description }) => (
          <li key={reason}>
            {countedNoun(requestCount, 'request')} {description} (<code>{reason}</code>)
          </li>
        ))}
      </ul>
      <p className="panel-text">
        <Link to="/outcomes" search={{ project: slug }} hash="rejected">
          Samples of rejected requests
        </Link>
      </p>
    </Panel>
  )
}
