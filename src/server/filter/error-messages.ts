import type { ExceptionValue } from '#protocol/event.ts'
import type { FilterSubject } from './filter-subject.ts'
import type { GlobSet } from './glob.ts'

/** True if the message, or any exception's `type`, `value` or `type: value`, matches a pattern. */
export function hasFilteredMessage({ exceptions = [], message }: FilterSubject, messages: GlobSet): boolean {
  if (message !== undefined && messages.matches(message.formatted)) return true
  return exceptions.some((exception) => isFilteredException(exception, messages))
}

function isFilteredException({ type = '', value = '' }: ExceptionValue, messages: GlobSet): boolean {
  if (messages.matches(type) || messages.matches(value)) return true
  return type !== '' && value !== '' && messages.matches(`${type}: ${value}`)
}
