import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ActivityChange } from '#server/store/triage/records.ts'
import { ActivityText } from './activity-text.tsx'

const ada = { userId: 'ada', name: 'Ada' }
const ben = { userId: 'ben', name: 'Ben' }

function textOf(change: ActivityChange): string {
  const html = renderToStaticMarkup(
    createElement(ActivityText, { entry: { id: '1', at: 0, by: ada, ...change } }),
  )
  return html.replaceAll(/<[^>]+>/g, '').trim()
}

const sentences: [string, ActivityChange][] = [
  ['resolved this', { kind: 'status', status: 'resolved' }],
  ['resolved this: its monitor recovered', { kind: 'status', status: 'resolved', isRecovery: true }],
  [
    'resolved this in the next release after web@1',
    { kind: 'status', status: 'resolved', reopenCondition: { kind: 'next_release', after: 'web@1' } },
  ],
  [
    'archived this until 7 events in total',
    { kind: 'status', status: 'archived', reopenCondition: { kind: 'archive', eventCount: 7 } },
  ],
  [
    'archived this until 1,200 users in total',
    { kind: 'status', status: 'archived', reopenCondition: { kind: 'archive', userCount: 1_200 } },
  ],
  ['reopened this', { kind: 'status', status: 'unresolved' }],
  ['assigned this to themselves', { kind: 'assigned', assignee: ada }],
  ['assigned this to Ben', { kind: 'assigned', assignee: ben }],
  ['unassigned this', { kind: 'assigned' }],
  ['unassigned this: its assignee no longer has access', { kind: 'assigned', isAccessEnded: true }],
  ['undid a merge', { kind: 'undone', change: 'merge' }],
  ['undid an unmerge', { kind: 'undone', change: 'unmerge' }],
  ['undid a change of the status', { kind: 'undone', change: 'status' }],
  ['undid an assignment', { kind: 'undone', change: 'assignment' }],
  ['undid a change', { kind: 'undone' }],
  ['marked this as a regression', { kind: 'regressed' }],
  ['unarchived this: event limit reached', { kind: 'reopened', reason: 'events' }],
]

describe('a line of the activity', () => {
  it.each(sentences)('completes the name of its user: %s', (text, change) => {
    expect(textOf(change)).toBe(text)
  })
})
