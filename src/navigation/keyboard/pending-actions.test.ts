import { describe, expect, it } from 'vitest'
import { createPendingActions } from './pending-actions.ts'

function openActions() {
  const performed: string[] = []
  const time = { now: 0 }
  const rendering: (() => void)[] = []
  const actions = createPendingActions<string>({
    perform(action) {
      performed.push(action)
      if (action === 'open' || action === 'back') actions.begin()
      return true
    },
    now: () => time.now,
    limitMs: 3_800,
    afterRendering: (callback) => void rendering.push(callback),
  })
  const render = () => {
    for (let callback = rendering.shift(); callback !== undefined; callback = rendering.shift()) callback()
  }
  return { performed, time, actions, render }
}

describe('actions pressed while a page is loading', () => {
  it('are performed immediately when no page is loading', () => {
    const { performed, actions } = openActions()
    actions.press('next')
    actions.press('resolve')
    expect(performed).toEqual(['next', 'resolve'])
  })

  it('wait for the page, in order, and those behind the next page for that one', () => {
    const { performed, actions, render } = openActions()
    for (const action of ['open', 'resolve', 'back', 'next', 'archive']) actions.press(action)
    expect(performed).toEqual(['open'])
    actions.end()
    render()
    expect(performed).toEqual(['open', 'resolve', 'back'])
    actions.end()
    render()
    expect(performed).toEqual(['open', 'resolve', 'back', 'next', 'archive'])
  })

  it('are performed on the page that the previous action rendered, including actions pressed during the render', () => {
    const { performed, actions, render } = openActions()
    for (const action of ['open', 'resolve', 'next']) actions.press(action)
    actions.end()
    actions.press('archive')
    expect(performed).toEqual(['open', 'resolve'])
    render()
    expect(performed).toEqual(['open', 'resolve', 'next', 'archive'])
  })

  it('are forgotten with a page that does not arrive in time', () => {
    const { performed, time, actions } = openActions()
    actions.press('open')
    actions.press('resolve')
    time.now = 4_000
    actions.press('next')
    expect(performed).toEqual(['open', 'next'])
    actions.end()
    expect(performed).toEqual(['open', 'next'])
  })

  it('are dropped when the user uses another control', () => {
    const { performed, actions } = openActions()
    actions.press('open')
    actions.press('resolve')
    actions.drop()
    actions.end()
    expect(performed).toEqual(['open'])
  })
})
