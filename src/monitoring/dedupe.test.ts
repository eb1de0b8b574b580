import { defaultStackParser, NodeClient, type ErrorEvent } from '@sentry/node'
import { expect, it } from 'vitest'
import { dedupeExcept } from './dedupe.ts'

const client = new NodeClient({
  integrations: [],
  stackParser: defaultStackParser,
  transport: () => ({ send: () => Promise.resolve({}), flush: () => Promise.resolve(true) }),
})

const eventOf = (type: string): ErrorEvent => ({
  type: undefined,
  exception: { values: [{ type: 'Error', value: 'the same', mechanism: { type } }] },
})

it('drops an event that was just sent, but no error with a digest', () => {
  const dedupe = dedupeExcept('own')
  const kept = ['own', 'own', 'other', 'other', 'own'].map(
    (type) => dedupe.processEvent?.(eventOf(type), {}, client) !== null,
  )
  expect(kept).toEqual([true, true, true, false, true])
})
