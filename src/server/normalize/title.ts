import type { Event, ExceptionValue, Feedback } from '#protocol/event.ts'
import { findOnlyMember } from '#server/group/mechanisms/v1/exception-group.ts'
import { limits } from '#server/limits.ts'
import { findCulpritFrame } from './culprit.ts'
import { securityReportTitle } from './fields/security-report.ts'
import { firstLine } from './text.ts'

const unlabeled = '<unlabeled event>'
const unknown = '<unknown>'

/**
 * The title of an event in lists: `{ title: 'TypeError', subtitle: 'x is not a function' }`.
 *
 * Of several exceptions the last one counts, which is the thrown one, or the group. A group whose members are
 * alike only wraps an error: the first of them counts. Both texts are one line, within
 * `limits.titleCharacters` and `limits.subtitleCharacters`; the title is never empty. Same texts as Sentry's
 * `eventtypes`.
 */
export function eventTitle(event: Event): { title: string; subtitle: string } {
  const exception = findOnlyMember(event.exceptions, placeOf) ?? event.exceptions.at(-1)
  if (event.securityReport !== undefined) return titleOnly(securityReportTitle(event.securityReport))
  if (event.type === 'feedback' && event.feedback !== undefined) {
    return feedbackTitle(event.feedback)
  }
  if (event.type === 'monitor' || event.type === 'uptime' || event.type === 'performance')
    return twoLineTitle(event.message?.formatted ?? '')
  if (event.type === 'transaction') return titleOnly(event.transaction ?? '')
  if (exception !== undefined) return exceptionTitle(exception)
  return titleOnly(event.message?.formatted ?? '')
}

/** Equal for exceptions of one type that were thrown at one place. */
function placeOf({ type, stackTrace }: ExceptionValue): string {
  const frame = findCulpritFrame(stackTrace)
  return JSON.stringify([type, frame?.module ?? frame?.filename, frame?.function])
}

function titleOnly(text: string): { title: string; subtitle: string } {
  return { title: firstLine(text, limits.titleCharacters) || unlabeled, subtitle: '' }
}

/** The title of feedback is its first line, so that a list is readable. */
function feedbackTitle({ message, name, email }: Feedback): { title: string; subtitle: string } {
  const sender = firstLine(name ?? email ?? '', limits.nameCharacters)
  return {
    title: firstLine(message, limits.titleCharacters) || 'User feedback',
    subtitle: sender === '' ? 'User feedback' : `User feedback from ${sender}`,
  }
}

/** The first line contains the monitor or the kind of problem, the second one the details. */
function twoLineTitle(message: string): { title: string; subtitle: string } {
  const [title = '', subtitle = ''] = message.split('\n', 2)
  return {
    title: firstLine(title, limits.titleCharacters) || unlabeled,
    subtitle: firstLine(subtitle, limits.subtitleCharacters),
  }
}

function exceptionTitle(exception: ExceptionValue): { title: string; subtitle: string } {
  const value = exception.value ?? ''
  const isMadeUp = exception.mechanism?.synthetic === true && exception.type !== undefined
  // The type of a synthetic exception comes from the SDK, so the location is more informative. Without a
  // location it is a message with a stack trace, and the message is the title.
  const functionName = isMadeUp ? findCulpritFrame(exception.stackTrace)?.function : undefined
  const title = firstLine(functionName ?? exception.type ?? '', limits.titleCharacters)
  if (title !== '') return { title, subtitle: firstLine(value, limits.subtitleCharacters) }
  return { title: firstLine(value, limits.titleCharacters) || unknown, subtitle: '' }
}
