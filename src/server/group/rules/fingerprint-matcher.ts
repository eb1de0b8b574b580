import type { Event } from '#protocol/event.ts'
import { toRuleFamily, type FrameFacts } from './frame-facts.ts'
import { createFrameTest, familyProblem, frameKeys } from './frame-matcher.ts'
import type { LineReader } from './line-reader.ts'
import { createFamilyTest, createPattern, type ValueTest } from './value-pattern.ts'

/** The properties of an event for fingerprint rules. */
export interface FingerprintSubject {
  event: Event
  /** The frames of all its stack traces, after the stack trace rules. */
  frames: readonly FrameFacts[]
}

/** A matcher: the property that it tests, and its test. */
export interface FingerprintTest {
  /** Tests of one group must all match the same object. */
  group: 'messages' | 'exceptions' | 'frames' | 'event'
  matches: (candidate: FingerprintCandidate) => boolean
}

/** A property of an event that matchers test. */
export interface FingerprintCandidate {
  event: Event
  message?: string
  exception?: { type?: string; value?: string }
  frame?: FrameFacts
}

/** A parsed matcher. `field` is one of the names that need no mapping. */
interface FieldMatcher {
  field: string
  pattern: string
  isNegated: boolean
}

/** Creates the test of a matcher. */
export function createFingerprintTest(
  { field, pattern, isNegated }: FieldMatcher,
  reader: LineReader,
): FingerprintTest {
  const negatable = (group: FingerprintTest['group'], test: FingerprintTest['matches']): FingerprintTest => ({
    group,
    matches: (candidate) => test(candidate) !== isNegated,
  })
  const isCaseSensitive = !['message', 'value', 'level'].includes(field)
  if (field === 'family') {
    const test = createFamilyTest(pattern)
    if (test === undefined) return reader.fail(familyProblem)
    return negatable('event', ({ event }) => test(toRuleFamily(event.platform)))
  }
  const frameField = frameKeys.get(field)
  if (frameField !== undefined) {
    const test = createFrameTest(frameField, pattern, reader)
    return negatable('frames', ({ frame }) => frame !== undefined && test(frame))
  }
  const test = createPattern(pattern, { isCaseSensitive })
  const holds = (value: string | undefined) => value !== undefined && test(value)
  if (field === 'message') return negatable('messages', ({ message }) => holds(message))
  if (field === 'type') return negatable('exceptions', ({ exception }) => holds(exception?.type))
  if (field === 'value') return negatable('exceptions', ({ exception }) => holds(exception?.value))
  return negatable('event', ({ event }) => holdsForEvent(event, field, test))
}

function holdsForEvent(
  { logger, level, release, sdk, tags }: Event,
  field: string,
  test: ValueTest,
): boolean {
  const value =
    field === 'logger'
      ? logger
      : field === 'level'
        ? level
        : field === 'release'
          ? release
          : field === 'sdk'
            ? sdk?.name
            : tags.find(([key]) => `tags.${key}` === field)?.[1]
  return value !== undefined && test(value)
}

/**
 * True if all matchers of a rule match: those about exceptions the same exception, those about frames the
 * same frame.
 */
export function matchesSubject(tests: readonly FingerprintTest[], subject: FingerprintSubject): boolean {
  const groups = new Set(tests.map(({ group }) => group))
  for (const group of groups) {
    const ofGroup = tests.filter((test) => test.group === group)
    if (!candidates[group](subject).some((candidate) => ofGroup.every((test) => test.matches(candidate))))
      return false
  }
  return true
}

const candidates: Record<FingerprintTest['group'], (subject: FingerprintSubject) => FingerprintCandidate[]> =
  {
    messages({ event }) {
      const values = event.exceptions.flatMap(({ value }) => (value === undefined ? [] : [value]))
      const messages = event.message === undefined ? values : [event.message.formatted, ...values]
      return messages.map((message) => ({ event, message }))
    },
    exceptions: ({ event }) => event.exceptions.map((exception) => ({ event, exception })),
    frames: ({ event, frames }) => frames.map((frame) => ({ event, frame })),
    event: ({ event }) => [{ event }],
  }
