import type { ReactNode } from 'react'
import { BreadcrumbPanel } from '#components/breadcrumbs/breadcrumb-panel.tsx'
import { StackFrame } from '#components/stack-trace/stack-frame.tsx'
import { TraceViewTabs } from '#components/stack-trace/trace-view-tabs.tsx'
import { missingSpansText } from '#components/trace/missing-spans.ts'
import { SmallWaterfall } from '#components/trace/small-waterfall.tsx'
import type { Event } from '#protocol/event.ts'
import { asSent, toExceptionsText, toStackTraceText } from '#protocol/stack-trace-text.ts'
import type { EventView } from '#server/console/events/views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { parsePerformanceEvidence, type PerformanceEvidence } from '#traces/performance-evidence.ts'
import type { EventViewSearch } from './event-view-search.ts'
import { ExceptionList } from './exception-list.tsx'
import { findHeading, isValueOf } from './exception-title.ts'
import { HeadingText } from './exception-value.tsx'
import { HandledMark, MechanismMarks } from './mechanism-marks.tsx'
import { ObjectList } from './object-list.tsx'
import { AttachmentList } from './panels/attachments.tsx'
import { ContextsPanel } from './panels/contexts.tsx'
import { FeedbackList } from './panels/feedback-list.tsx'
import { FeedbackPanel } from './panels/feedback.tsx'
import { MessagePanel } from './panels/message.tsx'
import { ModulesPanel } from './panels/modules.tsx'
import { OriginPanel } from './panels/origin.tsx'
import { PerformancePanel } from './panels/performance.tsx'
import { RequestPanel } from './panels/request.tsx'
import { SecurityReportPanel } from './panels/security-report.tsx'
import { TagsPanel } from './panels/tags.tsx'
import { ThreadsPanel } from './panels/threads.tsx'
import { TracePanel } from './panels/trace.tsx'
import { UserPanel } from './panels/user.tsx'

/** A section of an event's page; `id` is its anchor. */
export interface EventSection {
  id: string
  title: string
  /** Shown next to the title. */
  note?: ReactNode
  content: ReactNode
}

/** An event with its attached data. */
export type EventParts = Pick<
  EventView,
  | 'now'
  | 'issue'
  | 'event'
  | 'attachments'
  | 'feedback'
  | 'aboutEventId'
  | 'traceEvents'
  | 'trace'
  | 'isTraceSampled'
  | 'sourceMapProblems'
>

/** The non-empty sections of an event, in reading order. */
export function eventSections(parts: EventParts, shown: EventViewSearch): EventSection[] {
  const { event } = parts
  return [
    ...whatHappened(parts, shown),
    ...whatCameWith(parts),
    ...whatTheTraceDid(parts),
    ...whatLedThere(event, shown),
    ...whatSurrounds(parts),
  ]
}

function whatHappened({ event, issue, aboutEventId }: EventParts, shown: EventViewSearch): EventSection[] {
  const { message, exceptions, threads, template, securityReport, feedback } = event
  const sections: EventSection[] = []
  const evidence = findEvidence(event)
  if (evidence !== undefined) {
    const content = <PerformancePanel evidence={evidence} />
    sections.push({ id: 'performance', title: 'Performance', content })
  }
  const messageSection =
    message === undefined || evidence !== undefined || isValueOf(message, exceptions)
      ? []
      : [{ id: 'message', title: 'Message', content: <MessagePanel message={message} /> }]
  if (exceptions.length === 0) sections.push(...messageSection)
  if (exceptions.length > 0) {
    const content = <ExceptionList event={event} issue={issue} shown={shown} />
    sections.push({
      id: 'exception',
      title: 'Exception',
      note: exceptionNote(event, { issue, shown }),
      content,
    })
    // The message comes after the exceptions: it can be long, and the page's title is that of the exception.
    sections.push(...messageSection)
  }
  if (template !== undefined) {
    sections.push({
      id: 'template',
      title: 'Template',
      content: <StackFrame frame={template} isInApp isOpen />,
    })
  }
  if (threads.some((thread) => thread.stackTrace !== undefined)) {
    const content = <ThreadsPanel threads={threads} shown={shown} />
    sections.push({ id: 'threads', title: 'Threads', note: threadsNote(event, shown), content })
  }
  if (securityReport !== undefined) {
    sections.push({
      id: 'report',
      title: 'Report',
      content: <SecurityReportPanel report={securityReport} />,
    })
  }
  if (feedback !== undefined) {
    sections.push({
      id: 'feedback',
      title: 'Feedback',
      content: <FeedbackPanel feedback={feedback} isAboutHere={aboutEventId !== undefined} />,
    })
  }
  return sections
}

function findEvidence({ type, contexts }: Event): PerformanceEvidence | undefined {
  return type === 'performance' ? parsePerformanceEvidence(contexts['performance']) : undefined
}

function exceptionNote(
  event: Event,
  { issue, shown }: { issue: IssueSummary; shown: EventViewSearch },
): ReactNode {
  const { exceptions, platform } = event
  const heading = shown.frames === 'raw' ? undefined : findHeading(event, { issue, shown })
  return (
    <>
      {heading === undefined ? null : <HeadingText exception={heading} />}
      <div className="exception-note">
        <HandledMark exceptions={exceptions} />
        <MechanismMarks mechanism={heading?.mechanism} />
        {exceptions.every(({ stackTrace }) => stackTrace === undefined) ? null : (
          <ExceptionViews exceptions={exceptions} platform={platform} shown={shown} />
        )}
      </div>
    </>
  )
}

function ExceptionViews({
  exceptions,
  platform,
  shown,
}: Pick<Event, 'exceptions' | 'platform'> & { shown: EventViewSearch }) {
  const traces = shown.frames === 'raw' ? exceptions.map(asSent) : exceptions
  const text = toExceptionsText(traces, platform)
  return <TraceViewTabs part="exception" shown={shown} text={text} isChain={exceptions.length > 1} />
}

/** If there are exceptions, their tabs also apply to the threads. */
function threadsNote({ exceptions, threads, platform }: Event, shown: EventViewSearch): ReactNode {
  if (exceptions.some(({ stackTrace }) => stackTrace !== undefined)) return undefined
  const traces = threads.flatMap(({ id, name, stackTrace }, index) =>
    stackTrace === undefined
      ? []
      : [`${name ?? `Thread ${id ?? index}`}\n${toStackTraceText(stackTrace, platform)}`],
  )
  return <TraceViewTabs part="threads" shown={shown} text={traces.join('\n\n')} />
}

function whatCameWith({ event, attachments, feedback }: EventParts): EventSection[] {
  const sections: EventSection[] = []
  if (feedback.length > 0) {
    const content = <FeedbackList feedback={feedback} />
    sections.push({ id: 'user-feedback', title: 'User feedback', content })
  }
  if (attachments.length > 0) {
    const content = <AttachmentList eventId={event.eventId} attachments={attachments} />
    sections.push({ id: 'attachments', title: 'Attachments', content })
  }
  return sections
}

function whatLedThere({ breadcrumbs, occurredAt }: Event, shown: EventViewSearch): EventSection[] {
  if (breadcrumbs.length === 0) return []
  const content = <BreadcrumbPanel breadcrumbs={breadcrumbs} occurredAt={occurredAt} shown={shown} />
  return [{ id: 'breadcrumbs', title: 'Breadcrumbs', content }]
}

/** The spans around the error, only if spans are stored. */
function whatTheTraceDid({ event, trace, traceEvents }: EventParts): EventSection[] {
  if (event.traceId === undefined || trace === undefined) return []
  const content = (
    <>
      <SmallWaterfall traceId={event.traceId} trace={trace} />
      <TracePanel traceId={event.traceId} events={traceEvents} />
    </>
  )
  return [{ id: 'trace', title: 'Trace', content }]
}

function whatSurrounds({ event, issue, traceEvents, trace, isTraceSampled }: EventParts): EventSection[] {
  const { slug } = issue.project
  const { request, user, tags, contexts, extra, modules } = event
  const sections: EventSection[] = []
  if (request !== undefined) {
    sections.push({ id: 'request', title: 'Request', content: <RequestPanel request={request} /> })
  }
  if (user !== undefined)
    sections.push({ id: 'user', title: 'User', content: <UserPanel user={user} projectSlug={slug} /> })
  if (tags.length > 0)
    sections.push({ id: 'tags', title: 'Tags', content: <TagsPanel tags={tags} projectSlug={slug} /> })
  const { performance: _shown, ...otherContexts } = contexts
  const listed = findEvidence(event) === undefined ? contexts : otherContexts
  if (Object.keys(listed).length > 0) {
    const content = <ContextsPanel contexts={listed} projectSlug={slug} />
    sections.push({ id: 'contexts', title: 'Contexts', content })
  }
  if (Object.keys(extra).length > 0) {
    sections.push({ id: 'extra', title: 'Extra', content: <ObjectList object={extra} /> })
  }
  if (modules.length > 0) {
    sections.push({ id: 'packages', title: 'Packages', content: <ModulesPanel modules={modules} /> })
  }
  if (event.traceId !== undefined && trace === undefined) {
    const note = missingSpansText(isTraceSampled)
    const content = <TracePanel traceId={event.traceId} events={traceEvents} note={note} />
    sections.push({ id: 'trace', title: 'Trace', content })
  }
  sections.push({ id: 'origin', title: 'Origin', content: <OriginPanel event={event} /> })
  return sections
}
