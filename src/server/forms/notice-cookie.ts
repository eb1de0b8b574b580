/** What a person is told on the page that follows a form, where no script could say it. */
const cookieName = 'culvert_notice'

/** More is cut: browsers take 4 kB a cookie, and a notice is a sentence or two. */
const mostCharacters = 300

/** The `Set-Cookie` that carries a notice to the next page. Gone after a minute, if no page shows it. */
export function formatNoticeCookie(text: string): string {
  return `${cookieName}=${encodeURIComponent(text.slice(0, mostCharacters).toWellFormed())}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`
}

/** The `Set-Cookie` that takes it back, once it is shown. */
export const noticeCookieRemoval = `${cookieName}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`

/** The notice in a `Cookie` header; undefined where there is none, or one that we did not write. */
export function parseNoticeCookie(header: string | null | undefined): string | undefined {
  const [, value] = /(?:^|;\s*)culvert_notice=([^;]*)/.exec(header ?? '') ?? []
  if (value === undefined || value === '') return undefined
  try {
    return decodeURIComponent(value).slice(0, mostCharacters)
  } catch {
    return undefined
  }
}
