import { describe, expect, it } from 'vitest'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { compileProjectRules } from '#server/ingest/project-rules.ts'
import { limits } from '#server/limits.ts'
import { defaultProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import { dayMs } from '#time/time-steps.ts'
import type { Reception } from './reception.ts'
import { toAggregatesResult, toSessionResult } from './session.ts'

const receivedAt = Date.UTC(2026, 10, 21, 12, 30)
const sid = '183c047160d64dd9be1b5dea00575bfc'
const attrs = { release: 'web@2.0.0', environment: 'production' }

function receptionWith(filters: Partial<ProjectSettings['filters']> = {}): Reception {
  const settings = {
    ...defaultProjectSettings,
    filters: { ...defaultProjectSettings.filters, ...filters },
  }
  return { projectId: 7, receivedAt, clientAddress: '203.0.113.9', rules: compileProjectRules(settings) }
}

function itemOf(type: string, payload: unknown): EnvelopeItem {
  return { type, header: { type }, payload: Buffer.from(JSON.stringify(payload)) }
}

const iso = (at: number) => new Date(at).toISOString()
const endOf = (fields: object, origin: Partial<Parameters<typeof toSessionResult>[1]> = {}) =>
  toSessionResult(itemOf('session', { sid, started: iso(receivedAt), attrs, ...fields }), {
    reception: receptionWith(),
    ...origin,
  })

describe('a session item', () => {
  it('becomes one report, ordered by its sequence or else by its time', () => {
    const updatedAt = receivedAt - 500
    expect(endOf({ init: true, status: 'crashed', did: '7', timestamp: iso(updatedAt) })).toEqual({
      kind: 'counted',
      reports: [
        {
          kind: 'session',
          projectId: 7,
          ...attrs,
          startedAt: receivedAt,
          userKey: 'did:7',
          sid,
          seq: updatedAt,
          isFirst: true,
          state: 'crashed',
        },
      ],
    })
    expect(endOf({ seq: 3 })).toMatchObject({ reports: [{ seq: 3, isFirst: false, state: 'healthy' }] })
  })

  it('has the default environment unless it has one', () => {
    expect(endOf({ attrs: { release: 'a' } })).toMatchObject({ reports: [{ environment: 'production' }] })
    expect(endOf({ attrs: { release: 'a', environment: 'none' } })).toMatchObject({
      reports: [{ environment: 'production' }],
    })
  })

  it('is moved by as much as its sender’s clock is wrong', () => {
    const wrongAt = receivedAt - 30 * dayMs
    expect(endOf({ started: iso(wrongAt - 1_000) }, { sentAt: wrongAt })).toMatchObject({
      reports: [{ startedAt: receivedAt - 1_000 }],
    })
  })

  it.each([
    ['began more than five days ago', receivedAt - limits.sessionAgeMs - 1],
    ['begins in the future', receivedAt + limits.futureEventMs + 1],
  ])('is invalid when it %s', (_, at) => {
    expect(endOf({ started: iso(at) })).toEqual({ kind: 'invalid', reason: 'timestamp' })
  })

  it('is invalid when it cannot be counted', () => {
    expect(endOf({ sid: 'x' })).toEqual({ kind: 'invalid', reason: 'invalid_json' })
    const broken = { ...itemOf('session', {}), payload: Buffer.from('{"sid":') }
    expect(toSessionResult(broken, { reception: receptionWith() })).toEqual({
      kind: 'invalid',
      reason: 'invalid_json',
    })
  })

  it.each([
    ['release-version', { releases: ['web@2.*'] }, {}],
    ['ip-address', { clientAddresses: ['203.0.113.0/24'] }, {}],
    ['web-crawlers', {}, { attrs: { ...attrs, user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  ])('is filtered by %s', (reason, filters, fields) => {
    expect(endOf(fields, { reception: receptionWith(filters) })).toEqual({ kind: 'filtered', reason })
  })
})

const endOfBuckets = (aggregates: unknown[]) =>
  toAggregatesResult(itemOf('sessions', { attrs, aggregates }), { reception: receptionWith() })

describe('an item of aggregates', () => {
  it('becomes a report for each bucket that is recent enough', () => {
    expect(
      endOfBuckets([
        { started: iso(receivedAt - limits.sessionAgeMs - 1), exited: 1 },
        { started: iso(receivedAt), exited: 2, crashed: 1, did: 'x' },
      ]),
    ).toEqual({
      kind: 'counted',
      reports: [
        {
          kind: 'bucket',
          projectId: 7,
          ...attrs,
          startedAt: receivedAt,
          userKey: 'did:x',
          counts: { healthy: 2, errored: 0, unhandled: 0, abnormal: 0, crashed: 1 },
        },
      ],
    })
  })

  it('is invalid without buckets, with too many, and with too old ones only', () => {
    const old = { started: iso(receivedAt - limits.sessionAgeMs - 1), exited: 1 }
    const many = Array.from({ length: limits.sessionBucketsPerItem + 1 }, () => old)
    const reasons = [[], many, [old]].map(endOfBuckets)
    expect(reasons).toEqual([
      { kind: 'invalid', reason: 'no_data' },
      { kind: 'invalid', reason: 'too_large' },
      { kind: 'invalid', reason: 'timestamp' },
    ])
  })
})
