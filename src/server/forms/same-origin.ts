/**
 * Rejects a form that a page of another site posted; undefined if it is allowed. Every browser that sends
 * forms names the page in one of these headers. A script sends neither these headers nor a user's cookies;
 * `isAction` also rejects it.
 */
export function requireSameOrigin(
  request: Request,
  { isAction }: { isAction: boolean },
): Response | undefined {
  const site = request.headers.get('sec-fetch-site')
  const page = request.headers.get('origin') ?? request.headers.get('referer')
  const isPageOfOurs = page === null ? !isAction : isOnHostOf(request, page)
  const isSame = site === null ? isPageOfOurs : site === 'same-origin'
  if (isSame) return undefined
  return Response.json({ detail: 'This form was sent from another site.' }, { status: 403 })
}

function isOnHostOf(request: Request, page: string): boolean {
  return URL.parse(page)?.host === new URL(request.url).host
}
