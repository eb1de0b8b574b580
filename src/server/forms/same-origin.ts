/**
 * Rejects a form that a page of another site posted; undefined lets it pass. Every browser that sends forms
 * names the page in one of these headers; a request with none of them is from no browser, and carries
 * nobody's cookies.
 */
export function requireSameOrigin(request: Request): Response | undefined {
  const site = request.headers.get('sec-fetch-site')
  const page = request.headers.get('origin') ?? request.headers.get('referer')
  const isSame = site === null ? page === null || isOnHostOf(request, page) : site === 'same-origin'
  if (isSame) return undefined
  return Response.json({ detail: 'This form was sent from another site.' }, { status: 403 })
}

function isOnHostOf(request: Request, page: string): boolean {
  return URL.parse(page)?.host === new URL(request.url).host
}
