import { escapeHtml } from '#protocol/escape-html.ts'
import { cutText } from '#server/normalize/text.ts'
import type { Services } from '#server/services.ts'
import { findMonitorByBadge, listMonitorEnvironments } from '#server/store/monitors/listed-monitors.ts'

/** How long an old badge may be cached. */
const cacheSeconds = 60

const stateColors = { failing: '#b3261e', ok: '#1f7a3d', paused: '#5b6770', waiting: '#5b6770' }
type BadgeState = keyof typeof stateColors

/**
 * The badge of a monitor as an SVG image: failing if one of its environments is. Requires no session, because
 * its URL is secret. 404 for an unknown URL. Two statements.
 */
export async function answerMonitorBadge(
  { store: { db } }: Pick<Services, 'store'>,
  { projectId, secret }: { projectId: string; secret: string },
): Promise<Response> {
  const id = /^[1-9]\d{0,15}$/.test(projectId) ? Number(projectId) : undefined
  const badgeSecret = secret.replace(/\.svg$/, '')
  const monitor =
    id !== undefined && /^[0-9a-f]{32}$/.test(badgeSecret)
      ? await findMonitorByBadge(db, { projectId: id, badgeSecret })
      : undefined
  if (monitor === undefined) return new Response('Not found\n', { status: 404 })
  const environments = await listMonitorEnvironments(db, [monitor])
  const isFailing = environments.some(({ state }) => state.isFailing)
  const running = environments.length === 0 ? 'waiting' : isFailing ? 'failing' : 'ok'
  return new Response(renderBadge(monitor.name, monitor.isPaused ? 'paused' : running), {
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': `public, max-age=${cacheSeconds}`,
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  })
}

/** The path of a monitor's badge. */
export function toBadgePath({ projectId, badgeSecret }: { projectId: number; badgeSecret: string }): string {
  return `/badge/${projectId}/${badgeSecret}.svg`
}

const nameCharacters = 40
/** The average width of a character at 11 px in the fonts below. */
const characterWidth = 6.6
const padding = 8

function renderBadge(name: string, state: BadgeState): string {
  const shown = cutText(name, nameCharacters)
  const nameWidth = Math.round(shown.length * characterWidth) + 2 * padding
  const stateWidth = Math.round(state.length * characterWidth) + 2 * padding
  const label = escapeHtml(`${shown}: ${state}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${nameWidth + stateWidth}" height="20" role="img" aria-label="${label}">
<title>${label}</title>
<clipPath id="r"><rect width="${nameWidth + stateWidth}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="${nameWidth}" height="20" fill="#39434a"/>
<rect x="${nameWidth}" width="${stateWidth}" height="20" fill="${stateColors[state]}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${nameWidth / 2}" y="14" textLength="${nameWidth - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escapeHtml(shown)}</text>
<text x="${nameWidth + stateWidth / 2}" y="14" textLength="${stateWidth - 2 * padding}" lengthAdjust="spacingAndGlyphs">${state}</text>
</g>
</svg>
`
}
