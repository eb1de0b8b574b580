import type { MouseEvent, ReactNode } from 'react'
import { Icon } from '#components/ui/icon.tsx'
import { useCopy } from '#components/ui/use-copy.ts'

/**
 * An event as it was sent, and with its issue as text for readers and language models. Without JavaScript
 * the links show the text.
 */
export function ShareLinks({ eventId }: { eventId: string }) {
  return (
    <div className="share-links">
      <a href={`/events/${eventId}/json`} download>
        <Icon name="download" /> Download JSON
      </a>
      <TextLink href={`/events/${eventId}/markdown`}>
        <Icon name="file-text" /> Copy as Markdown
      </TextLink>
      <TextLink href={`/events/${eventId}/markdown?for=llm`}>
        <Icon name="bot" /> Copy for an agent
      </TextLink>
    </div>
  )
}

/** Follows the link if copying is not possible, or if a modifier key that opens another tab is pressed. */
function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const { copy, answer } = useCopy(() => readText(href))

  function click(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    copy()
  }

  return (
    <span className="share-link">
      <a href={href} target="_blank" rel="noreferrer" onClick={click}>
        {children}
      </a>
      <span role="status" className="copy-answer">
        {answer}
      </span>
    </span>
  )
}

async function readText(href: string): Promise<string> {
  const answer = await fetch(href)
  if (!answer.ok) throw new Error(`${href} answered ${answer.status}`)
  return answer.text()
}
