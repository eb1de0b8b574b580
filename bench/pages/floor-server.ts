/**
 * The least that a page of these rows can cost with React on this machine: bare node:http and renderToString
 * of the same rows in the same markup. Plain elements: no router, no links that are components, no store, no
 * hydration data, no head. Prints its address as the real server's log does.
 *
 *     node bench/pages/floor-server.ts VIEW.json
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createElement as h, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import * as v from 'valibot'
import { barsPath, barsSummary, barsWidth, layOutBars } from '#components/ui/chart/bars-geometry.ts'
import { isoInstant, relativeTime } from '#components/ui/time/relative-time.ts'
import { compactCount } from '#numbers/number-text.ts'
import { formatInstant } from '#time/time-zone.ts'
import { floorView, type FloorRow } from './floor-view.ts'

const view = v.parse(floorView, JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
const box = { height: 24, barWidth: 3, gap: 1 }

function renderTable(): string {
  const rows = view.issues.map((issue) => h('tr', { key: issue.id }, ...renderCells(issue)))
  return `<!DOCTYPE html>${renderToString(h('table', { className: 'issue-table' }, h('tbody', {}, rows)))}`
}

function renderCells(issue: FloorRow): ReactNode[] {
  return [
    h('th', { scope: 'row', className: 'issue-cell' }, ...renderNames(issue)),
    h('td', { className: 'bars-cell' }, renderBars(issue.bars)),
    h('td', { className: 'count-cell', 'data-name': 'events' }, renderCount(issue.eventCount)),
    h('td', { className: 'count-cell', 'data-name': 'users' }, renderCount(issue.userCount)),
    h('td', { className: 'time-cell' }, renderTime(issue.lastSeenAt)),
    h('td', { className: 'time-cell first-seen-cell' }, renderTime(issue.firstSeenAt)),
  ]
}

function renderNames(issue: FloorRow): ReactNode[] {
  const level = h('span', { className: 'visually-hidden' }, issue.level)
  return [
    h(
      'div',
      { className: 'issue-line' },
      h('span', { className: 'level', 'data-level': issue.level, title: issue.level }, level),
      h('a', { className: 'row-link', href: `/issues/${issue.id}` }, h('bdi', {}, issue.title)),
      h('bdi', { className: 'issue-subtitle' }, issue.subtitle),
    ),
    h(
      'div',
      { className: 'issue-line issue-meta' },
      h('span', { className: 'issue-short-id' }, issue.shortId),
      h('span', { className: 'issue-project' }, issue.project.name),
      h('code', { className: 'issue-culprit' }, h('bdi', {}, issue.culprit)),
    ),
  ]
}

function renderBars(counts: readonly number[]): ReactNode {
  const bars = layOutBars(counts, box)
  const width = barsWidth(counts.length, box)
  return h(
    'svg',
    { className: 'bars', role: 'img', viewBox: `0 0 ${width} ${box.height}`, width, height: box.height },
    h('title', {}, `Events: ${barsSummary(counts)}`),
    h('path', { d: barsPath(bars.slice(0, -1)) }),
    h('path', { className: 'bars-now', d: barsPath(bars.slice(-1)) }),
  )
}

function renderCount(value: number): ReactNode {
  return h('data', { value }, compactCount(value))
}

function renderTime(at: number): ReactNode {
  return h('time', { dateTime: isoInstant(at), title: formatInstant(at, 'UTC') }, relativeTime(at, view.now))
}

const server = createServer((_request, response) => {
  const html = Buffer.from(renderTable())
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length })
  response.end(html)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`)
})
