import { describe, expect, it } from 'vitest'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import type { JsonObject } from '#protocol/json.ts'
import { limitItems } from './limit-items.ts'
import type { LimitQuestion } from './request-limits.ts'

/** An item with ten bytes of payload, written `type` or `attachment:minidump`. */
function itemOf(text: string): EnvelopeItem {
  const [type = '', attachmentType] = text.split(':')
  const header: JsonObject =
    attachmentType === undefined ? { type } : { type, attachment_type: `event.${attachmentType}` }
  return { type, header, payload: Buffer.from('0123456789') }
}

interface Case {
  items: string[]
  denied: string[]
  kept: string[]
  checked: Record<string, number>
}

/** The cases of Relay's `rate_limits.rs` (5e74635, Apache-2.0) and four more. */
const cases: Case[] = [
  { items: [], denied: [], kept: [], checked: {} },
  { items: ['event'], denied: ['error'], kept: [], checked: { error: 1 } },
  { items: ['event', 'attachment'], denied: ['error'], kept: [], checked: { error: 1 } },
  { items: ['attachment', 'event'], denied: ['error'], kept: [], checked: { error: 1 } },
  { items: ['attachment:minidump'], denied: ['error'], kept: [], checked: { error: 1 } },
  {
    items: ['attachment:minidump', 'attachment'],
    denied: ['attachment'],
    kept: ['attachment:minidump'],
    checked: { error: 1, attachment: 20 },
  },
  {
    items: ['attachment:minidump'],
    denied: ['attachment'],
    kept: ['attachment:minidump'],
    checked: { error: 1, attachment: 10 },
  },
  {
    items: ['attachment:minidump', 'event', 'attachment:breadcrumbs'],
    denied: [],
    kept: ['attachment:minidump', 'event', 'attachment:breadcrumbs'],
    checked: { error: 1, attachment: 20 },
  },
  { items: ['profile', 'profile'], denied: ['profile'], kept: [], checked: { profile: 2 } },
  { items: ['replay_event', 'replay_recording'], denied: ['replay'], kept: [], checked: { replay: 2 } },
  { items: ['check_in'], denied: ['monitor'], kept: [], checked: { monitor: 1 } },
  {
    items: ['session', 'session', 'session'],
    denied: ['error'],
    kept: ['session', 'session', 'session'],
    checked: { session: 3 },
  },
  {
    items: ['session', 'session', 'event'],
    denied: ['session'],
    kept: ['event'],
    checked: { session: 2, error: 1 },
  },
  {
    items: ['transaction', 'attachment', 'session'],
    denied: ['transaction'],
    kept: ['session'],
    checked: { transaction: 1, session: 1 },
  },
]

describe('limiting the items of an envelope', () => {
  it.each(cases)('$items with $denied over the limit', ({ items, denied, kept, checked }) => {
    const questions: LimitQuestion[] = []
    const all = items.map(itemOf)
    const result = limitItems(all, (question) => {
      questions.push(question)
      return denied.includes(question.category) ? 'key_limit' : undefined
    })
    expect(result.kept).toEqual(kept.map(itemOf))
    const asked = questions.map(({ category, quantity }) => [category, quantity])
    expect(Object.fromEntries(asked)).toEqual(checked)
    expect(asked).toHaveLength(Object.keys(checked).length)
    const limitedCount = result.limited.reduce((sum, { quantity }) => sum + quantity, 0)
    expect(limitedCount).toBe(all.length - kept.length)
  })

  it('counts each category by itself', () => {
    const { limited } = limitItems(['event', 'session', 'session'].map(itemOf), () => 'key_limit')
    expect(limited).toEqual([
      { category: 'error', quantity: 1, reason: 'key_limit' },
      { category: 'session', quantity: 2, reason: 'key_limit' },
    ])
  })

  it('counts the entries of an item, and the items', () => {
    const spans = {
      type: 'span',
      header: { type: 'span', item_count: 3 },
      payload: Buffer.from('{"items":[]}'),
    }
    const questions: LimitQuestion[] = []
    const { limited } = limitItems([spans, spans], (question) => {
      questions.push(question)
      return 'project_limit'
    })
    expect(limited).toEqual([{ category: 'span', quantity: 6, reason: 'project_limit' }])
    expect(questions).toEqual([{ category: 'span', quantity: 6, itemCount: 6, batchCount: 2 }])
  })
})
