import { escapeHtml } from '#protocol/escape-html.ts'
import { appConfig } from '../../../app.config.ts'
import type { ApiRoute } from './api-route.ts'
import { apiGroups } from './api-routes.ts'

/** The files of the page by their paths below `/api/0`. It needs no token and no script. */
export const referenceFiles: Readonly<Record<string, () => Response>> = {
  '/docs': () =>
    new Response(renderReferencePage(), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  '/docs.css': () => new Response(styles, { headers: { 'content-type': 'text/css; charset=utf-8' } }),
}

const styles = `
:root { color-scheme: light dark; --ink: light-dark(#1c2428, #e8ecee); --soft: light-dark(#4c5b63, #a5b2b8); --line: light-dark(#dfe4e6, #2b3438); --accent: light-dark(#0b5f70, #7fd0e2) }
body { margin: 0; font: 0.875rem/1.5 system-ui, sans-serif; color: var(--ink); background: light-dark(#fafbfb, #101416) }
main { box-sizing: border-box; max-width: 60rem; overflow-wrap: anywhere; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.125rem }
h3 { margin: 0; font-size: 0.875rem; overflow-wrap: anywhere }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.8125rem }
a { color: var(--accent) }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0 0; padding: 0; list-style: none }
nav a, h3 { scroll-margin-top: 1rem }
section { padding: 0.75rem 0; border-top: 1px solid var(--line) }
section p { margin: 0.25rem 0 0 }
b { display: inline-block; min-width: 3.5rem; color: var(--accent) }
.soft { color: var(--soft) }
dl { display: grid; grid-template-columns: minmax(6rem, 12rem) minmax(0, 1fr); gap: 0.125rem 1rem; margin: 0.5rem 0 0 }
dt, dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 40rem) { dl { grid-template-columns: minmax(0, 1fr) } dd { margin-bottom: 0.375rem } }
`

/** The endpoints of the OpenAPI document as a page. */
function renderReferencePage(): string {
  const links = apiGroups.map(({ name }) => `<li><a href="#${toId(name)}">${name}</a></li>`)
  const parts = apiGroups.map(
    ({ name, routes }) => `<h2 id="${toId(name)}">${name}</h2>\n${routes.map(renderRoute).join('\n')}`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/0/docs.css">
<title>API · ${appConfig.name}</title>
</head>
<body>
<main>
<h1>The API of ${appConfig.name}</h1>
<p>A subset of Sentry’s web API below <code>/api/0</code>, with <code>Authorization: Bearer TOKEN</code>. Create tokens under
<a href="/settings/tokens">Settings, API tokens</a>. The <a href="/api/0/openapi.json">OpenAPI document</a> lists the same endpoints with
their bodies and answers, the <a href="/docs/api">guide</a> has examples.</p>
<nav aria-label="Subjects"><ul>${links.join('')}</ul></nav>
${parts.join('\n')}
</main>
</body>
</html>
`
}

function toId(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

function renderRoute({ method, path, scope, summary, query = {} }: ApiRoute): string {
  const parameters = Object.entries(query).map(
    ([name, text]) => `<dt><code>${escapeHtml(name)}</code></dt><dd>${renderText(text)}</dd>`,
  )
  return `<section>
<h3><code><b>${method}</b> ${escapeHtml(path)}</code></h3>
<p>${renderText(summary)}${scope === undefined ? '' : ` <span class="soft">Scope: <code>${scope}</code></span>`}</p>
${parameters.length === 0 ? '' : `<dl>${parameters.join('\n')}</dl>`}
</section>`
}

/** Text in backticks is code. */
function renderText(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
