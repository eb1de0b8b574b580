import type { Event } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { cutText } from './text.ts'

/**
 * The texts of an event other than title and subtitle, for search: the message of an exception event, the
 * lines after the first one, the causes of the exception. Empty if there are none; at most
 * `limits.furtherTextCharacters` long.
 */
export function furtherText(event: Event, shown: { title: string; subtitle: string }): string {
  const texts = new Set<string>()
  const add = (text: string | undefined) => {
    if (text !== undefined && text !== '' && text !== shown.title && text !== shown.subtitle) texts.add(text)
  }
  for (const { type, value } of event.exceptions.toReversed().slice(0, shownExceptions)) {
    add(value)
    add(type)
  }
  add(event.message?.formatted)
  add(event.feedback?.message)
  return texts.size === 0 ? '' : cutText([...texts].join('\n'), limits.furtherTextCharacters)
}

/** The exception itself and a few of its causes: more would not fit. */
const shownExceptions = 6
