/**
 * Answers with a text that is partly untrusted: plain text without content sniffing, in a sandbox. A missing
 * one is a 404.
 */
export function answerText(text: string | undefined): Response {
  if (text === undefined) return Response.json({ detail: 'not found' }, { status: 404 })
  return new Response(text, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
