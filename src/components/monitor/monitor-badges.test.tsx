import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { EnvironmentView, MonitorSummary } from '#server/console/monitors/views.ts'
import { MonitorBadges } from './monitor-badges.tsx'

type Shown = Pick<EnvironmentView, 'isFailing' | 'lastStatus'>

function badgeOf(kind: MonitorSummary['kind'], shown: Shown): string {
  const environment = { name: 'production', lastAt: 0, steps: [], durations: [], ...shown }
  return renderToStaticMarkup(
    <MonitorBadges monitor={{ isPaused: false, isMuted: false, kind }} environment={environment} />,
  ).replace(/^<span class="badge" data-tone="(.*)">(.*)<\/span>$/, '$1: $2')
}

it.each([
  ['uptime', { isFailing: true, lastStatus: 'error' }, 'danger: down'],
  ['uptime', { isFailing: false, lastStatus: 'error' }, 'warning: last check down'],
  ['uptime', { isFailing: false, lastStatus: 'ok' }, 'success: up'],
  ['cron', { isFailing: true, lastStatus: 'missed' }, 'danger: failing'],
  ['cron', { isFailing: false, lastStatus: 'missed' }, 'warning: last run missed'],
  ['cron', { isFailing: false, lastStatus: 'in_progress' }, 'accent: running'],
] as const)('the badge of a %s monitor with %o is %s', (kind, shown, badge) => {
  expect(badgeOf(kind, shown)).toBe(badge)
})
