import { okShareText } from '#numbers/number-text.ts'
import { escapeHtml } from '#protocol/escape-html.ts'
import { minuteMs } from '#time/time-steps.ts'
import { formatInstant } from '#time/time-zone.ts'
import { statusPageStyle } from './status-page-style.ts'
import type {
  PublicDay,
  PublicIncident,
  PublicMonitor,
  PublicState,
  StatusPageView,
} from './status-page-view.ts'

/** Renders a status page: HTML without scripts, which contains only names, states and times. */
export function renderStatusPage({ organizationName, at, monitors, incidents }: StatusPageView): string {
  const title = `${organizationName} status`
  const { state, text } = summaryOf(monitors)
  const body = `<header>
<h1><bdi>${escapeHtml(title)}</bdi></h1>
<p class="soft">As of ${timeText(at)}</p>
<p class="sum" data-state="${state}">${text}</p>
</header>`
  if (monitors.length === 0) return toDocument(title, body)
  return toDocument(
    title,
    `${body}
<section aria-labelledby="services">
<h2 id="services">Services</h2>
${monitors.map(renderMonitor).join('\n')}
</section>
<section aria-labelledby="incidents">
<h2 id="incidents">Incidents of the last 14 days</h2>
${renderIncidents(incidents, at)}
</section>`,
  )
}

/** The page at the address of a status page that does not exist or is not published. */
export function renderNoStatusPage(): string {
  return toDocument(
    'Status page not found',
    `<h1>Status page not found</h1>
<p>No status page is published at this address. Check the link.</p>`,
  )
}

function toDocument(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${statusPageStyle}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

function summaryOf(monitors: readonly PublicMonitor[]): { state: string; text: string } {
  const known = monitors.filter(({ state }) => state !== 'paused')
  const downCount = known.filter(({ state }) => state === 'down').length
  if (known.length === 0) return { state: 'unknown', text: 'No services yet' }
  if (downCount > 0) return { state: 'down', text: `${downCount} of ${known.length} services down` }
  const isUp = known.every(({ state }) => state === 'up')
  return isUp
    ? { state: 'up', text: 'All services are up' }
    : { state: 'unknown', text: 'The state of some services is unknown' }
}

const stateTexts: Record<PublicState, string> = {
  up: 'Up',
  down: 'Down',
  unknown: 'Unknown',
  paused: 'Paused',
}

function renderMonitor({ name, state, days, okShare }: PublicMonitor): string {
  const upText = okShare === undefined ? 'no data yet' : `${okShareText(okShare)} up`
  const bars = days.map((day) => `<span data-day="${dayKind(day)}" title="${dayText(day)}"></span>`)
  return `<article>
<div class="line head"><h3><bdi>${escapeHtml(name)}</bdi></h3><span class="state" data-state="${state}">${stateTexts[state]}</span></div>
<div class="bars" role="img" aria-label="${days.length} days: ${upText}">${bars.join('')}</div>
<div class="line soft"><span>${days.length} days ago</span><span>${upText}</span><span>today</span></div>
</article>`
}

/** The bar of a day is red if at least a twentieth has failed. */
const badShare = 0.95

function dayKind({ okShare }: PublicDay): string {
  if (okShare === undefined) return 'none'
  if (okShare === 1) return 'up'
  return okShare >= badShare ? 'part' : 'down'
}

function dayText({ at, okShare }: PublicDay): string {
  const day = new Date(at).toISOString().slice(0, 10)
  return `${day}: ${okShare === undefined ? 'no data' : okShareText(okShare)}`
}

function renderIncidents(incidents: readonly PublicIncident[], now: number): string {
  if (incidents.length === 0) return '<p class="soft">None.</p>'
  return `<ul>\n${incidents.map((each) => renderIncident(each, now)).join('\n')}\n</ul>`
}

function renderIncident({ name, beganAt, endedAt }: PublicIncident, now: number): string {
  const minutes = Math.max(1, Math.round(((endedAt ?? now) - beganAt) / minuteMs))
  const lasted = durationText(minutes)
  const [verb, times] =
    endedAt === undefined
      ? ['has been down for', `since ${timeText(beganAt)}`]
      : ['was down for', `from ${timeText(beganAt)} until ${timeText(endedAt)}`]
  return `<li><strong><bdi>${escapeHtml(name)}</bdi></strong> ${verb} ${lasted}<br>
<span class="soft">${times}</span></li>`
}

function durationText(minutes: number): string {
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

function timeText(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${formatInstant(at, 'UTC', 'minute')}</time>`
}
