import * as v from 'valibot'
import type { PostedNotice } from './form-views.ts'

/** The notice for the page after a form, without JavaScript. */
const cookieName = 'culvert_notice'

/** Longer texts are truncated: browsers accept 4 kB per cookie, and a notice has a sentence or two. */
const mostCharacters = 300
/** Above this size, the notice is sent without its undo form. */
const mostCookieBytes = 3_800

const cookie = v.object({
  text: v.pipe(v.string(), v.nonEmpty()),
  undo: v.optional(v.object({ url: v.string(), fields: v.array(v.strictTuple([v.string(), v.string()])) })),
})

/** The `Set-Cookie` with the notice for the next page. It expires after a minute if no page shows it. */
export function formatNoticeCookie({ text, undo }: PostedNotice): string {
  const shown = { text: text.slice(0, mostCharacters).toWellFormed() }
  const form = undo && { url: undo.url, fields: undo.fields }
  const whole = encodeURIComponent(JSON.stringify({ ...shown, undo: form }))
  const value = whole.length <= mostCookieBytes ? whole : encodeURIComponent(JSON.stringify(shown))
  return `${cookieName}=${value}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`
}

/** The `Set-Cookie` that deletes it, once it was displayed. */
export const noticeCookieRemoval = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`

/**
 * The notice in a `Cookie` header; undefined if there is none, or if it is forged. An undo form must be one
 * of `undoUrls`, because a sibling host can set cookies.
 */
export function parseNoticeCookie(
  header: string | null | undefined,
  undoUrls: readonly string[],
): PostedNotice | undefined {
  const [, value] = /(?:^|;\s*)culvert_notice=([^;]*)/.exec(header ?? '') ?? []
  if (value === undefined || value === '') return undefined
  try {
    const { text, undo } = v.parse(cookie, JSON.parse(decodeURIComponent(value)))
    const isKnown = undo !== undefined && undoUrls.includes(undo.url)
    return { text: text.slice(0, mostCharacters), ...(isKnown && { undo }) }
  } catch {
    return undefined
  }
}
