import { appConfig } from '../../../app.config.ts'

/** Said of a form that was not looked at because too many like it are being checked. */
export const busyText =
  'Too many sign-ins at the same time. Nothing was checked: wait a few seconds, then try again.'

/** The same as a page. Without rendering, for which an overloaded server has no time. */
export function answerBusy(pathname: string): Response {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Too many sign-ins · ${appConfig.name}</title>
</head>
<body>
<main>
<h1>Too many sign-ins at the same time</h1>
<p>Nothing was checked. Wait a few seconds, then <a href="${encodeURI(pathname)}">try again</a>.</p>
</main>
</body>
</html>
`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '2',
  }
  return new Response(body, { status: 429, headers })
}
