import { Icon } from '#components/ui/icon.tsx'
import { byteText } from '#numbers/number-text.ts'
import type { AttachmentSummary } from '#server/store/events/records.ts'

/** The files of an event. They are untrusted: the browser downloads them and never renders them. */
export function AttachmentList({
  eventId,
  attachments,
}: {
  eventId: string
  attachments: readonly AttachmentSummary[]
}) {
  return (
    <ul className="attachments">
      {attachments.map(({ number, name, contentType, byteCount }) => (
        <li key={number}>
          <a href={`/events/${eventId}/attachments/${number}`} download>
            <Icon name="paperclip" /> <bdi>{name}</bdi>
          </a>
          <span className="quiet">
            <bdi>{contentType}</bdi> · {byteText(byteCount)}
          </span>
        </li>
      ))}
    </ul>
  )
}
