import { useMemo } from 'react'
import { EventPlatform } from '#components/stack-trace/event-platform.ts'
import { TextMarksProvider } from '#components/ui/marked-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Later } from '#components/ui/time/later.tsx'
import { EventHighlights } from './event-highlights.tsx'
import { eventSections, type EventParts, type EventSection } from './event-sections.tsx'
import type { EventViewSearch } from './event-view-search.ts'
import { FieldErrorsNote } from './field-errors-note.tsx'
import { redactionMarks } from './redaction-texts.ts'
import { RedactionsNote } from './redactions-note.tsx'
import { SourceMapsNote } from './source-maps-note.tsx'

/**
 * The complete content of an event, with links to its sections. Use the event's id as the key, because the
 * collapsed state belongs to the event.
 */
export function EventContent({ parts, shown }: { parts: EventParts; shown: EventViewSearch }) {
  const { event } = parts
  const sections = eventSections(parts, shown)
  const firstCount = Math.max(1, sections.findIndex(({ id }) => id === 'exception' || id === 'threads') + 1)
  const marks = useMemo(() => redactionMarks(event.redactions), [event.redactions])
  return (
    <EventPlatform value={event.platform}>
      <TextMarksProvider marks={marks}>
        <EventHighlights event={event} projectSlug={parts.issue.project.slug} />
        <nav className="jump-links" aria-label="Jump to section">
          <ul>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <SourceMapsNote problems={parts.sourceMapProblems} projectSlug={parts.issue.project.slug} />
        <Sections sections={sections.slice(0, firstCount)} />
        <FieldErrorsNote errors={event.fieldErrors} />
        <RedactionsNote redactions={event.redactions} />
        <Later keepsRoom>
          <Sections sections={sections.slice(firstCount)} />
        </Later>
      </TextMarksProvider>
    </EventPlatform>
  )
}

function Sections({ sections }: { sections: readonly EventSection[] }) {
  return sections.map(({ id, title, note, content }) => (
    <Panel key={id} id={id} title={title} note={note}>
      {content}
    </Panel>
  ))
}
