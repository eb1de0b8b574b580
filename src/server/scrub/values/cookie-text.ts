import type { FindingList } from '#server/scrub/finding-list.ts'
import { nameWords } from '#server/scrub/names/field-name.ts'
import { isMarkAt, withoutMarks } from '#server/scrub/scrub-rule.ts'

/**
 * Words in the names of session cookies and cookies against forged requests in common frameworks: Relay's
 * list (`SENSITIVE_COOKIES`), which has complete names, and related names.
 */
const sessionWord =
  /^(?:sess|session\w*|csrf\w*|xsrf\w*|fastcsrf|su|sudo|sso|saml|symfony|remember\w*|logged|login|identity|auth\w*|jwt|ticket)$|(?:sid|sess|sessid|session|sessionid|token|jwt)$/

/**
 * Session cookies and cookies against forged requests whose names contain none of these words: those of
 * Drupal, WordPress, ASP.NET, CakePHP, TYPO3, PrestaShop, Phoenix, XenForo, vBulletin, SAP, Vouch and
 * Pomerium.
 */
const otherSessionCookie = new RegExp(
  `^(?:__(?:host|secure)-)?(?:${[
    String.raw`s?sess[\da-f]{32}`,
    String.raw`(?:wordpress_(?:sec_)?|wp-postpass_)[\da-f]{32}`,
    // A long cookie is sent in parts: `.AspNetCore.CookiesC1`.
    String.raw`\.aspnet(?:core)?\.(?:\w*cookies?(?:c\d{1,3})?|antiforgery\.[\w-]+)`,
    String.raw`cakephp|[bf]e_typo_user|prestashop-[\da-f]+|_\w+_key|xf_user|bbsessionhash|mysapsso2`,
    String.raw`vouchcookie|_pomerium`,
  ].join('|')})$`,
  'i',
)

/** Attributes of `Set-Cookie`, which are not cookies. */
const attributes = new Set(['domain', 'expires', 'max-age', 'path', 'priority', 'samesite'])

/** True for a cookie that contains a session, or a token against forged requests. */
export function isSessionCookie(name: string): boolean {
  return otherSessionCookie.test(name) || nameWords(withoutMarks(name)).some((word) => sessionWord.test(word))
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
