import { tooLargeStatus } from '#server/too-large.ts'
import { appConfig } from '../../../app.config.ts'

/** The message if a form was not processed because too many are being checked. */
export const busyText =
  'Too many sign-ins at the same time. Nothing was checked: wait a few seconds, then try again.'

/** The same as a page. Static, because an overloaded server has no time to render. */
export function answerBusy(pathname: string): Response {
  return answerPage(429, {
    title: 'Too many sign-ins at the same time',
    text: `Nothing was checked. Wait a few seconds, then <a href="${encodeURI(pathname)}">try again</a>.`,
  })
}

/**
 * Reads a posted form; one without a body has no fields. Returns an answer for a form that is too large or
 * incomplete, which must not be processed with the fields that have arrived.
 */
export async function readPostedForm(request: Request, pathname: string): Promise<FormData | Response> {
  const { headers } = request
  if (!headers.has('content-type')) return new FormData()
  try {
    return await request.formData()
  } catch {
    const isTooLarge = Number(headers.get('content-length')) > appConfig.formBytes
    const reason = isTooLarge ? appConfig.formTooLarge : 'The form was incomplete.'
    return answerPage(isTooLarge ? tooLargeStatus : 400, {
      title: 'Not saved',
      text: `${reason} <a href="${encodeURI(pathname)}">Back to the page</a>`,
    })
  }
}

function answerPage(status: number, { title, text }: { title: string; text: string }): Response {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${appConfig.name}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 429 && { 'retry-after': '2' }),
  }
  return new Response(body, { status, headers })
}
