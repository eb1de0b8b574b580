import type { ReactNode } from 'react'
import { BreadcrumbTable } from '#components/breadcrumbs/breadcrumb-table.tsx'
import { StackFrame } from '#components/stack-trace/stack-frame.tsx'
import type { Event } from '#protocol/event.ts'
import type { EventView } from '#server/store/views.ts'
import { AttachmentList } from './attachment-list.tsx'
import { ContextsPanel } from './contexts-panel.tsx'
import { ExceptionList } from './exception-list.tsx'
import { FeedbackList } from './feedback-list.tsx'
import { FeedbackPanel } from './feedback-panel.tsx'
import { MessagePanel } from './message-panel.tsx'
import { ModulesPanel } from './modules-panel.tsx'
import { ObjectList } from './object-list.tsx'
import { OriginPanel } from './origin-panel.tsx'
import { RequestPanel } from './request-panel.tsx'
import { SecurityReportPanel } from './security-report-panel.tsx'
import { TagsPanel } from './tags-panel.tsx'
import { ThreadsPanel } from './threads-panel.tsx'
import { UserPanel } from './user-panel.tsx'

/** A part of an event's page; `id` is its anchor. */
export interface EventSection {
  id: string
  title: string
  content: ReactNode
}

/** An event with what came with it. */
export type EventParts = Pick<EventView, 'event' | 'attachments' | 'feedback' | 'aboutEventId'>

/** The parts of an event that have something in them, in reading order. */
export function eventSections(parts: EventParts): EventSection[] {
  const { event } = parts
  return [...whatHappened(parts), ...whatCameWith(parts), ...whatLedThere(event), ...whatSurrounds(event)]
}

function whatHappened({ event, aboutEventId }: EventParts): EventSection[] {
  const { message, exceptions, threads, template, securityReport, feedback } = event
  const sections: EventSection[] = []
  if (message !== undefined) {
    sections.push({ id: 'message', title: 'Message', content: <MessagePanel message={message} /> })
  }
  if (exceptions.length > 0) {
    sections.push({ id: 'exception', title: 'Exception', content: <ExceptionList exceptions={exceptions} /> })
  }
  if (template !== undefined) {
    sections.push({
      id: 'template',
      title: 'Template',
      content: <StackFrame frame={template} isInApp isOpen />,
    })
  }
  if (threads.some((thread) => thread.stackTrace !== undefined)) {
    sections.push({ id: 'threads', title: 'Threads', content: <ThreadsPanel threads={threads} /> })
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

function whatLedThere({ breadcrumbs, occurredAt }: Event): EventSection[] {
  if (breadcrumbs.length === 0) return []
  const content = <BreadcrumbTable breadcrumbs={breadcrumbs} occurredAt={occurredAt} />
  return [{ id: 'breadcrumbs', title: 'Breadcrumbs', content }]
}

function whatSurrounds(event: Event): EventSection[] {
  const { request, user, tags, contexts, extra, modules } = event
  const sections: EventSection[] = []
  if (request !== undefined) {
    sections.push({ id: 'request', title: 'Request', content: <RequestPanel request={request} /> })
  }
  if (user !== undefined) sections.push({ id: 'user', title: 'User', content: <UserPanel user={user} /> })
  if (tags.length > 0) sections.push({ id: 'tags', title: 'Tags', content: <TagsPanel tags={tags} /> })
  if (Object.keys(contexts).length > 0) {
    sections.push({ id: 'contexts', title: 'Contexts', content: <ContextsPanel contexts={contexts} /> })
  }
  if (Object.keys(extra).length > 0) {
    sections.push({ id: 'extra', title: 'Extra', content: <ObjectList object={extra} /> })
  }
  if (modules.length > 0) {
    sections.push({ id: 'packages', title: 'Packages', content: <ModulesPanel modules={modules} /> })
  }
  sections.push({ id: 'origin', title: 'Origin', content: <OriginPanel event={event} /> })
  return sections
}
