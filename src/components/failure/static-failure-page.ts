import { formatInstant } from '#time/time-zone.ts'
import { appConfig } from '../../../app.config.ts'
import { eventPath, failureSentence, type FailureSide } from './failure-texts.ts'

const styles = `
:root { color-scheme: light dark }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1c2428, #e8ecee); background: light-dark(#fafbfb, #101416) }
main { box-sizing: border-box; max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25 }
h1:focus { outline: none }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 1.125rem; user-select: all }
footer { text-align: center; font-size: 0.875rem }
a { color: light-dark(#0b5f70, #7fd0e2); margin-right: 1.5rem }
`

/** The content of the static failure page. */
export interface StaticFailure {
  kind: FailureSide
  digest?: string
  /** The release of this Culvert. */
  release?: string
  /** The user is signed in and may view the event. */
  isSignedIn?: boolean
  nonce?: string
  /** The page exceeded the time limit. */
  isTimeout?: boolean
  /** The database could not be used. */
  isUnavailable?: boolean
  /** When it happened. Unix milliseconds. */
  at?: number
  /** The URL of the page from which a form was posted: the user can go back to it, and cannot retry. */
  postedFrom?: string
}

/**
 * The failure page as a complete HTML document without React, scripts or other files: for a crash of the
 * application's own handler. With the response's CSP nonce it is styled.
 */
export function renderStaticFailurePage(failure: StaticFailure): string {
  const { digest, nonce, at, postedFrom, release, isSignedIn } = failure
  const timeLine = at === undefined ? '' : `<p>${timeElement(at)}</p>`
  const style = nonce === undefined ? '' : `<style nonce="${escapeHtml(nonce)}">${styles}</style>`
  const releaseLine =
    release === undefined ? '' : `<footer>${appConfig.name} ${escapeHtml(release)}</footer>\n`
  const eventLink =
    digest === undefined || isSignedIn !== true
      ? ''
      : ` <a href="${escapeHtml(eventPath(digest))}">View event</a>`
  const digestLine =
    digest === undefined
      ? ''
      : `<p>Digest: <code>${escapeHtml(digest)}</code></p>
<p>Include this digest when you report the problem.${eventLink}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${appConfig.failurePage.heading} · ${appConfig.name}</title>
${style}
</head>
<body>
<main>
<div role="alert">
<h1 tabindex="-1" autofocus>${appConfig.failurePage.heading}</h1>
<p>${sentenceOf(failure)}</p>
${digestLine}
${timeLine}
</div>
<p>${
    postedFrom === undefined ? '<a href="">Try again</a>' : `<a href="${escapeHtml(postedFrom)}">Go back</a>`
  } <a href="/issues">Go to the issues</a></p>
</main>
${releaseLine}</body>
</html>
`
}

function sentenceOf({ kind, isTimeout, isUnavailable, postedFrom }: StaticFailure): string {
  if (isTimeout === true) return appConfig.failurePage.timeoutSentence
  if (isUnavailable === true && postedFrom === undefined) return appConfig.failurePage.unavailableSentence
  return postedFrom === undefined ? failureSentence(kind) : appConfig.failurePage.changeSentence
}

function timeElement(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${formatInstant(at, 'UTC')}</time>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
