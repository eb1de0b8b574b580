import { escapeHtml } from '#protocol/escape-html.ts'
import {
  joinPresent,
  type ItemText,
  type MessageText,
  type TextLink,
} from '#server/alerts/channels/message-text.ts'
import { breakLinks, linkBreak } from '#server/alerts/channels/plain-text.ts'

/**
 * Colours of both schemes, as in the console. Mail clients without media queries use the light ones, which
 * are inline.
 */
const light = {
  page: '#f8fbfb',
  card: '#ffffff',
  line: '#dfe4e5',
  text: '#1b2327',
  quiet: '#525d61',
  code: '#f1f5f6',
  button: '#016372',
  buttonText: '#ffffff',
} as const

const dark: Record<keyof typeof light, string> = {
  page: '#0d1215',
  card: '#131a1d',
  line: '#262e31',
  text: '#e4e9ea',
  quiet: '#a1a9ac',
  code: '#090d0f',
  button: '#7ccdd6',
  buttonText: '#09161a',
}

const sans = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

const darkRules = `
      .page { background: ${dark.page} !important; }
      .card { background: ${dark.card} !important; border-color: ${dark.line} !important; }
      .text, .title { color: ${dark.text} !important; }
      .title { background: ${dark.code} !important; }
      .quiet, .quiet a { color: ${dark.quiet} !important; }
      .item { border-color: ${dark.line} !important; }
      .quiet .link { color: ${dark.button} !important; }
      .button { background: ${dark.button} !important; color: ${dark.buttonText} !important; }`

/**
 * The mail as HTML: without images, scripts and external resources. Text of events is escaped, and contains
 * no links. Pure.
 */
export function toMailHtml({ lead, items, more, reason, links }: MessageText): string {
  const [main, ...others] = links
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeHtml(breakLinks(lead))}</title>
    <style>
      :root { color-scheme: light dark; }
      @media (prefers-color-scheme: dark) {${darkRules}
      }
    </style>
  </head>
  <body class="page" style="margin: 0; padding: 24px 12px; background: ${light.page}; font: 15px/1.5 ${sans}">
    <div class="card" style="max-width: 600px; margin: 0 auto; padding: 24px; background: ${light.card}; border: 1px solid ${light.line}; border-radius: 8px">
      <h1 class="text" style="margin: 0 0 16px; font-size: 19px; line-height: 1.3; color: ${light.text}">${inert(lead)}</h1>
      ${items.map((item) => (items.length === 1 ? toSingle(item) : toRow(item))).join('\n      ')}
      ${more === undefined ? '' : `<p class="quiet" style="margin: 12px 0 0; color: ${light.quiet}">${inert(more)}</p>`}
      ${main === undefined ? '' : toButton(main)}
    </div>
    <p class="quiet" style="max-width: 600px; margin: 16px auto 0; font-size: 13px; color: ${light.quiet}; overflow-wrap: anywhere">
      ${[...(reason === undefined ? [] : [inert(reason)]), ...others.map(toQuietLink)].join(' · ')}
    </p>
  </body>
</html>
`
}

function toSingle({ shortId, title, late, facts }: ItemText): string {
  const rows = facts
    .map(
      ({ label, value }) =>
        `<tr><td class="quiet" style="padding: 2px 16px 2px 0; vertical-align: top; white-space: nowrap; color: ${light.quiet}">${label}</td><td class="text" style="padding: 2px 0; color: ${light.text}; overflow-wrap: anywhere">${inert(value)}</td></tr>`,
    )
    .join('')
  return `<p class="quiet" style="margin: 0 0 4px; color: ${light.quiet}">${inert(joinPresent(shortId, late))}</p>
      ${toTitle(title)}
      <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 12px 0 0; font-size: 14px; border-collapse: collapse">${rows}</table>`
}

function toRow({ shortId, phrase, title, late, url }: ItemText): string {
  const name =
    url === undefined
      ? inert(shortId)
      : `<a class="link" href="${escapeHtml(url)}" style="color: ${light.button}">${inert(shortId)}</a>`
  const rest = inert(joinPresent(phrase, late))
  return `<div class="item" style="padding: 10px 0; border-top: 1px solid ${light.line}">
        <p class="quiet" style="margin: 0 0 4px; font-size: 14px; color: ${light.quiet}">${name} · ${rest}</p>
        ${toTitle(title)}
      </div>`
}

function toTitle(title: string): string {
  return `<p class="title" style="margin: 0; padding: 6px 8px; border-radius: 4px; background: ${light.code}; color: ${light.text}; font: 14px/1.45 ${mono}; overflow-wrap: anywhere">${inert(title)}</p>`
}

function toButton({ label, url }: TextLink): string {
  return `<p style="margin: 20px 0 0"><a class="button" href="${escapeHtml(url)}" style="display: inline-block; padding: 9px 16px; border-radius: 6px; background: ${light.button}; color: ${light.buttonText}; font-weight: 600; text-decoration: none">${label}</a></p>`
}

function toQuietLink({ label, url }: TextLink): string {
  return `<a href="${escapeHtml(url)}" style="color: inherit">${label}</a>`
}

/** The breaks have no width: in a monospaced font they would be as wide as a letter. */
function inert(text: string): string {
  return escapeHtml(breakLinks(text)).replaceAll(
    linkBreak,
    `<span style="font-size: 1px">${linkBreak}</span>`,
  )
}
