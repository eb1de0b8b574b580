import { describe, expect, it } from 'vitest'
import { createServerState } from './server-state.ts'

function openState() {
  const time = { now: 0 }
  const state = createServerState({
    now: () => time.now,
    random: () => 0.5,
    failuresBeforePause: 3,
    minPauseMs: 2_000,
    maxPauseMs: 60_000,
  })
  return { time, state }
}

describe('loading ahead from a server', () => {
  it('continues when single pages fail', () => {
    const { state } = openState()
    for (let round = 0; round < 5; round += 1) {
      state.noteFailure()
      state.noteFailure()
      state.noteSuccess()
    }
    expect(state.limitAhead(5)).toBe(5)
  })

  it('pauses after three failures in a row, and then tries one page', () => {
    const { state, time } = openState()
    for (let failure = 0; failure < 3; failure += 1) state.noteFailure()
    expect([state.limitAhead(5), state.pauseMs()]).toEqual([0, 2_000])
    time.now = 2_000
    expect(state.limitAhead(5)).toBe(1)
    state.noteSuccess()
    expect(state.limitAhead(5)).toBe(5)
  })

  it('does not extend a pause for loads that started before it', () => {
    const { state } = openState()
    for (let failure = 0; failure < 7; failure += 1) state.noteFailure()
    expect(state.pauseMs()).toBe(2_000)
  })

  it('pauses twice as long each time, up to a minute', () => {
    const { state, time } = openState()
    const pauses: number[] = []
    for (let failure = 0; failure < 10; failure += 1) {
      state.noteFailure()
      pauses.push(state.pauseMs())
      time.now += state.pauseMs()
    }
    expect(pauses).toEqual([0, 0, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  })

  it('pauses immediately for the Retry-After of the server', () => {
    const { state } = openState()
    state.noteFailure(7_000)
    expect([state.limitAhead(5), state.pauseMs()]).toEqual([0, 7_000])
  })
})
