import type { FindingList } from '#server/scrub/finding-list.ts'
import { nameWords } from '#server/scrub/names/field-name.ts'
import { isMarkAt, withoutMarks } from '#server/scrub/scrub-rule.ts'

/**
 * Words in the names of session cookies and cookies against forged requests in common frameworks: Relay's
 * list (`SENSITIVE_COOKIES`), which has complete names, and related names.
 */
const sessionWord =
  /^(?:sess|session\w*|csrf\w*|xsrf\w*|fastcsrf|su|sudo|sso|saml|symfony|remember\w*|logged|login|identity|auth\w*|jwt|ticket)$|(?:sid|sess|sessid|session|sessionid|token|jwt)$/

/** Attributes of `Set-Cookie`, which are not cookies. */
const attributes = new Set(['domain', 'expires', 'max-age', 'path', 'priority', 'samesite'])

/** True for a cookie that contains a session, or a token against forged requests. */
export function isSessionCookie(name: string): boolean {
  return nameWords(withoutMarks(name)).some((word) => sessionWord.test(word))
}

/** Finds the values of session cookies in the text of a `Cookie` or `Set-Cookie` header. */
export function findSessionCookies(
  text: string,
  isSecretCookie: (name: string) => boolean,
  findings: FindingList,
): void {
  let start = 0
  while (start < text.length && !findings.isFull) {
    const semicolon = text.indexOf(';', start)
    const end = semicolon === -1 ? text.length : semicolon
    // Only up to the semicolon: searching the rest of the text would be repeated for each of its parts.
    const equals = start + text.slice(start, end).indexOf('=')
    if (equals >= start) {
      const name = text.slice(start, equals).trim()
      const isSecret = !attributes.has(name.toLowerCase()) && isSecretCookie(name)
      if (isSecret && equals + 1 < end && !isMarkAt(text, equals + 1)) {
        findings.add(equals + 1, end, 'cookie')
      }
    }
    start = end + 1
  }
}
