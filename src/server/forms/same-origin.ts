/**
 * Refuses a form that a page of another site posted; undefined lets it pass. Every browser that sends forms says where
 * they come from in one of these headers; what says nothing is no browser, and carries no cookies of anybody.
 */
export function requireSameOrigin(request: Request): Response | undefined {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  const isSame = site === null ? origin === null || isOriginOf(request, origin) : site === 'same-origin'
  if (isSame) return undefined
  return Response.json({ detail: 'This form was sent from another site.' }, { status: 403 })
}

function isOriginOf(request: Request, origin: string): boolean {
  return URL.parse(origin)?.host === new URL(request.url).host
}
