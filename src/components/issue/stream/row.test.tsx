import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PlainHtml } from '#components/ui/plain-html.ts'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { IssueListRow } from '#server/store/issues/records.ts'
import { hourMs } from '#time/time-steps.ts'
import { IssueRow } from './row.tsx'

const now = Date.parse('2026-11-26T12:00:00Z')
const hostile = `"><img src=x onerror=alert(1)> & 'quoted'`

const plain: IssueListRow = {
  id: '12',
  shortId: 'SHOP-1',
  project: { id: 1, slug: 'shop', name: 'Shop', platform: undefined },
  type: 'error',
  title: 'TypeError',
  subtitle: '',
  culprit: '',
  level: 'error',
  platform: 'javascript',
  status: 'unresolved',
  statusChangedAt: undefined,
  reopenCondition: undefined,
  firstSeenAt: now - 30 * hourMs,
  lastSeenAt: now - 1,
  eventCount: 1,
  keptEventCount: 1,
  userCount: 1,
  firstRelease: undefined,
  lastRelease: undefined,
  environmentCount: 0,
  userSharePercent: undefined,
  bars: Array.from({ length: 24 }, () => 0),
  spanEventCount: 1,
}

const full: IssueListRow = {
  ...plain,
  project: { ...plain.project, name: hostile },
  type: 'monitor',
  title: hostile,
  subtitle: hostile,
  culprit: hostile,
  status: 'archived',
  isRegressed: true,
  isEscalating: true,
  isUnhandled: true,
  assignee: { userId: 'a', name: hostile },
  eventCount: 1_234_567,
  userCount: 3,
  firstRelease: hostile,
  environmentCount: 3,
  userSharePercent: 40,
  bars: plain.bars.map((_, index) => index * index),
  spanEventCount: 45_000,
}

const rows: IssueListRow[] = [
  plain,
  full,
  { ...full, status: 'unresolved' },
  { ...plain, isEscalating: true },
]

const elements = rows.flatMap((issue, index) =>
  [true, false].map((is) => (
    <IssueRow
      key={`${index}${is}`}
      issue={issue}
      environment={is ? hostile : undefined}
      isNew={is}
      isMine={is}
      span="24 h"
      isTotalShown={is}
      isSelectable={is}
    />
  )),
)

it('is written by the server as React would write it', () => {
  const [plainHtml, html] = [
    <PlainHtml key="" as="tbody">
      {elements}
    </PlainHtml>,
    <tbody key="">{elements}</tbody>,
  ].map((body) => renderToString(<NowProvider now={now}>{body}</NowProvider>))
  expect(plainHtml).toBe(html)
  expect(plainHtml).not.toContain('<img')
})
