import type { FilterSubject } from './filter-subject.ts'
import { compileGlobs } from './glob.ts'

/**
 * Production messages of React for a page that differs between server and browser, often because of an
 * extension. Sentry's list; 418, 419, 421, 422, 423 and 425 are React's error codes.
 */
const hydrationErrors = compileGlobs([
  '*https://reactjs.org/docs/error-decoder.html?invariant={418,419,421,422,423,425}*',
  '*https://react.dev/errors/{418,419,421,422,423,425}*',
])

/** True if any exception of the event is one of React's minified hydration errors. */
export function isReactHydrationError({ exceptions = [] }: FilterSubject): boolean {
  return exceptions.some(({ value }) => value !== undefined && hydrationErrors.matches(value))
}
