import type { FormOutcome } from './form.ts'
import { formatNoticeCookie } from './notice-cookie.ts'
import { redirectTo } from './redirect.ts'

/** The answer to an action posted without JavaScript: a redirect to the page, with a notice. */
export function answerAction({
  request,
  outcome,
  notDone,
}: {
  request: Request
  outcome: FormOutcome
  notDone: string
}): Response {
  const postedFrom = findPostedFrom(request)
  switch (outcome.kind) {
    case 'signed-out':
      return redirectTo(`/login?to=${encodeURIComponent(postedFrom)}`)
    case 'rejected':
      return redirectTo(postedFrom, [formatNoticeCookie({ text: rejectionText(notDone, outcome.problems) })])
    case 'shown':
      return redirectTo(postedFrom)
    case 'done':
      break
  }
  const { text, undo, leadsTo = postedFrom, cookies = [] } = outcome
  // A list keeps its filters.
  const to = postedFrom.startsWith(`${leadsTo}?`) ? postedFrom : leadsTo
  const notice = text === undefined ? [] : [formatNoticeCookie({ text, undo })]
  return redirectTo(to, [...notice, ...cookies])
}

function rejectionText(notDone: string, problems: readonly { message: string }[]): string {
  return [notDone, ...problems.map(({ message }) => message)].join(' ')
}

/** The path and query of the form's page; `/` for a browser that sends no referer. */
export function findPostedFrom({ headers, url }: Request): string {
  const referer = URL.parse(headers.get('referer') ?? '')
  if (referer === null || referer.origin !== new URL(url).origin) return '/'
  // Two leading slashes would mean another host.
  return `/${(referer.pathname + referer.search).replace(/^\/+/, '')}`
}
