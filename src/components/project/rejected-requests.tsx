import { Link } from '@tanstack/react-router'
import { countedNoun } from '#components/ui/number-text.ts'
import { Panel } from '#components/ui/panel.tsx'
import type { RejectedRequestCount } from '#server/store/outcome-views.ts'

const reasonNames: Record<RejectedRequestCount['reason'], string> = {
  auth_client: 'without a valid key',
  auth_version: 'with an unknown version of the protocol',
  content_type: 'with a wrong content type',
  cors: 'from an origin that is not allowed',
  feature_disabled: 'to an unsupported endpoint',
  internal: 'on which Culvert failed',
  invalid_compression: 'with broken or unsupported compression',
  invalid_envelope: 'with an invalid envelope',
  invalid_json: 'with invalid JSON',
  invalid_multipart: 'with an invalid form',
  no_data: 'without data',
  payload: 'with an incomplete body',
  project_id: 'with an unknown or disabled key',
  project_state: 'while the project is disabled',
  too_large: 'over the size limit',
}

/** Requests of the last 24 hours that were rejected whole, by reason; nothing when there are none. */
export function RejectedRequests({
  slug,
  rejected,
}: {
  slug: string
  rejected: readonly RejectedRequestCount[]
}) {
  if (rejected.length === 0) return null
  return (
    <Panel id="rejected-requests" title="Rejected requests" note="24 hours">
      <ul className="panel-text">
        {rejected.map(({ reason, requestCount }) => (
          <li key={reason}>
            {countedNoun(requestCount, 'request')} {reasonNames[reason]} (<code>{reason}</code>)
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
