import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { Feedback } from '#protocol/event.ts'

/**
 * User feedback as plain text, with its author and the event to which it refers; `isAboutHere` if that event
 * is stored and can be linked.
 */
export function FeedbackPanel({ feedback, isAboutHere }: { feedback: Feedback; isAboutHere: boolean }) {
  const { message, name, email, url, source, aboutEventId } = feedback
  const named: [string, string | undefined][] = [
    ['Name', name],
    ['Email', email],
    ['Page', url],
    ['Source', source],
  ]
  const items: Definition[] = named.flatMap(([term, value]) =>
    value === undefined ? [] : [{ term, description: <bdi>{value}</bdi> }],
  )
  if (aboutEventId !== undefined) {
    const id = <code>{aboutEventId}</code>
    const link = (
      <Link to="/events/$eventId" params={{ eventId: aboutEventId }}>
        {id}
      </Link>
    )
    items.push({ term: 'About event', description: isAboutHere ? link : id })
  }
  return (
    <>
      <p className="feedback-text" dir="auto">
        <MarkedText text={message} />
      </p>
      <DefinitionList items={items} />
    </>
  )
}
