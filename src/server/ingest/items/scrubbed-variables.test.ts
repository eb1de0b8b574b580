import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import { createScrubPlan } from '#server/scrub/scrub-plan.ts'
import { defaultScrubSettings } from '#server/scrub/scrub-settings.ts'
import { isScrubbedInVariablesOnly } from './scrubbed-variables.ts'

const plan = createScrubPlan(defaultScrubSettings)
const secret = { password: 'hunter2-hunter2' }
const context = { eventId: '0'.repeat(32), receivedAt: 1_790_000_000_000, isForIndex: true }

const withFrames = (...frames: JsonObject[]): JsonObject => ({
  platform: 'node',
  exception: { values: [{ type: 'Error', value: 'It broke', stacktrace: { frames } }] },
})

function scrub(payload: JsonObject): { payload: JsonObject; clean: JsonObject } {
  const { value: clean } = scrubEvent(payload, plan)
  expect(clean).not.toBe(payload)
  return { payload, clean }
}

describe('an event has an unchanged index', () => {
  it.each([
    ['of an exception', withFrames({ function: 'pay', vars: secret }, { function: 'main' })],
    [
      'of a thread',
      { threads: { values: [{ stacktrace: { frames: [{ function: 'pay', vars: secret }] } }] } },
    ],
    [
      'of a trace on its own',
      { stacktrace: { frames: [{ function: 'pay', vars: { deep: { ...secret } } }] } },
    ],
  ])('where only variables were scrubbed, %s', (_name, sent) => {
    const { payload, clean } = scrub(sent)
    expect(isScrubbedInVariablesOnly(payload, clean)).toBe(true)
    expect(normalizeEvent(clean, context)).toEqual(normalizeEvent(payload, context))
    expect(JSON.stringify(normalizeEvent(payload, context))).not.toContain('hunter2')
  })
})

describe('an event has to be normalized again', () => {
  it.each<[string, JsonObject]>([
    ['a message', { message: 'password=hunter2-hunter2' }],
    ['extra data called vars', { extra: { vars: secret } }],
    ['extra data called frames', { extra: { frames: [{ function: 'pay', vars: secret }] } }],
    ['a frame without a name', withFrames({ vars: secret })],
    ['a frame whose name is unknown', withFrames({ function: '?', vars: secret })],
    ['a line of source', withFrames({ function: 'pay', context_line: "password = 'hunter2-hunter2'" })],
    [
      'data of a mechanism',
      { exception: { values: [{ type: 'E', mechanism: { type: 'x', data: secret } }] } },
    ],
    ['variables and a tag', { ...withFrames({ function: 'pay', vars: secret }), tags: secret }],
  ])('after %s was scrubbed', (_name, sent) => {
    const { payload, clean } = scrub(sent)
    expect(isScrubbedInVariablesOnly(payload, clean)).toBe(false)
  })
})
