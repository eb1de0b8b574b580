import { expect } from 'vitest'

/** Vitest's matchers are `any`; these are `unknown`, so that they can be used inside an expected object. */
export const anyString: unknown = expect.any(String)

/** An event id as every answer spells it. */
export const anyEventId: unknown = expect.stringMatching(/^[0-9a-f]{32}$/)

/** Any text that contains `part`. */
export function textWith(part: string): unknown {
  return expect.stringContaining(part)
}

/** Any text that `pattern` matches. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern)
}
