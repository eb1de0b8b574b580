import * as fc from 'fast-check'
import { sessionStates } from '#protocol/session.ts'
import { issueSorts } from '#server/store/issues/records.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/**
 * Random work on a store, as data: the same steps are played on both engines. Small pools of values, so that
 * issues, users, releases and event ids meet again.
 */

const oneOf = <const Value>(...values: Value[]) => fc.constantFrom(...values)
const index = fc.nat({ max: 999 })

const projectId = oneOf(1, 2)
const version = oneOf('shop@1.0.0', 'shop@1.2.0-rc.1', 'shop@1.10.0', 'api@2', '9f3c2ab', 'ünïcode 1')
const environment = oneOf('production', 'staging', 'Preview', '')
/** Texts that engines could sort, compare, split or store differently. */
const word = oneOf(
  'timeout',
  'Timeout',
  'ÄRGER',
  'ärger',
  'Straße',
  'nul\u0000byte',
  'half\ud800pair',
  'emoji 🛒 cart',
  '100%_done',
  'O\'Brien \\ "quoted"',
  'a-b_c/d.e:f',
  '日本語の誤り',
)

const eventFields = fc.record({
  id: fc.nat({ max: 30 }),
  type: oneOf('TypeError', 'RangeError', 'ÄError', 'Error'),
  value: word,
  frame: oneOf('render', 'checkout', 'zahlung'),
  level: oneOf('error', 'warning', 'fatal', 'info'),
  platform: oneOf('javascript', 'python'),
  release: fc.option(version, { nil: undefined }),
  environment,
  user: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
  tags: fc.dictionary(oneOf('browser', 'region', 'Über', 'plan'), word, {
    maxKeys: 3,
    noNullPrototype: true,
  }),
  transaction: fc.option(oneOf('/cart', 'GET /api/:id'), { nil: undefined }),
  trace: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  isHandled: fc.boolean(),
  ageMs: oneOf(0, 1_000, 40 * minuteMs, 3 * hourMs, 2 * dayMs),
})

const item = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('event' as const), fields: eventFields }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      id: fc.nat({ max: 30 }),
      text: word,
      fingerprint: fc.option(oneOf('one', 'two'), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('feedback' as const),
      id: fc.nat({ max: 30 }),
      about: fc.nat({ max: 30 }),
      text: word,
      name: word,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('user_report' as const),
      about: fc.nat({ max: 30 }),
      text: word,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('attachment' as const),
      name: word,
      bytes: fc.uint8Array({ maxLength: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('session' as const),
      sid: fc.nat({ max: 5 }),
      seq: fc.nat({ max: 4 }),
      state: oneOf('ok', 'exited', 'crashed', 'abnormal'),
      errors: fc.nat({ max: 2 }),
      user: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      release: version,
      environment,
      ageMs: oneOf(0, 20 * minuteMs, 5 * hourMs, 3 * dayMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('sessions' as const),
      release: version,
      environment,
      counts: fc.tuple(...sessionStates.map(() => fc.nat({ max: 9 }))),
      user: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('client_report' as const),
      reason: oneOf('ratelimit_backoff', 'before_send', 'nul\u0000'),
      quantity: fc.integer({ min: 1, max: 50 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('broken' as const), text: word }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('transaction' as const), id: fc.nat({ max: 30 }) }) },
)

const envelope = fc.record({ projectId, items: fc.array(item, { minLength: 1, maxLength: 3 }) })

export type WorkItem = typeof item extends fc.Arbitrary<infer Item> ? Item : never
export interface WorkEnvelope {
  projectId: number
  items: WorkItem[]
}

/** Of issues sorted by id: some next to each other, so that two steps often mean the same ones. */
const issues = fc.record({ from: index, count: fc.integer({ min: 1, max: 3 }) })

const until = fc.record(
  {
    at: oneOf(minuteMs, 3 * hourMs),
    moreEvents: fc.integer({ min: 1, max: 5 }),
    moreUsers: fc.integer({ min: 1, max: 3 }),
    escalates: fc.constant(true),
  },
  { requiredKeys: [] },
)

const triage = fc.oneof(
  fc.record({ kind: fc.constant('reopen' as const), issues }),
  fc.record({
    kind: fc.constant('resolve' as const),
    issues,
    fixedIn: fc.option(fc.oneof(version, fc.constant('next_release' as const)), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('archive' as const), issues, until: fc.option(until, { nil: undefined }) }),
  fc.record({ kind: fc.constant('assign' as const), issues, to: oneOf('ada', 'ben', 'nobody', null) }),
  fc.record({ kind: fc.constant('comment' as const), issues, text: word }),
  fc.record({
    kind: fc.constant('merge' as const),
    issues: fc.record({ from: index, count: fc.integer({ min: 2, max: 4 }) }),
  }),
  fc.record({ kind: fc.constant('unmerge' as const), issues, part: index }),
  fc.record({ kind: fc.constant('delete' as const), issues, discards: fc.boolean() }),
  fc.record({ kind: fc.constant('allow' as const), hash: index }),
  fc.record({ kind: fc.constant('undo' as const), action: fc.nat({ max: 4 }) }),
)

const releases = fc.oneof(
  fc.record({
    kind: fc.constant('release' as const),
    version,
    commits: fc.option(fc.array(word, { maxLength: 3 }), { nil: undefined }),
    isArchived: fc.option(fc.boolean(), { nil: undefined }),
    ageMs: fc.option(oneOf(0, dayMs), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('deploy' as const), version, environment: oneOf('production', 'staging') }),
  fc.record({ kind: fc.constant('delete release' as const), version, projectId }),
)

const retention = fc.record({
  kind: fc.constant('retain' as const),
  projectId,
  days: oneOf(1, 3, 90),
  events: oneOf(1, 5, 100_000),
})

const search = fc.record({
  kind: fc.constant('search' as const),
  text: oneOf(
    '',
    'timeout',
    'ärger',
    'straße',
    '"nul byte"',
    '日本語の誤り',
    '*pair*',
    '*%_*',
    'browser:Timeout',
    'browser:*a*',
    'region:[timeout, ÄRGER]',
    'has:plan',
    'level:fatal',
    'is:resolved',
    'is:archived',
    'release:shop@1.0.0',
    'release:latest',
    'release.version:>=1.2.0',
    'environment:Preview',
    'assigned:ada',
    'assigned:[me, none]',
    'error.unhandled:true',
    'project:web',
    'user.id:3',
    'timesSeen:>2',
    'users:>1',
    'firstSeen:-24h',
    'lastSeen:-2d',
    'platform:python timeout',
    'transaction:/cart',
    'timeout OR level:fatal',
    '(has:browser OR has:region) is:unresolved',
  ),
  isNegated: fc.boolean(),
  sort: fc.constantFrom(...issueSorts),
})

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      envelopes: fc.array(envelope, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 6, arbitrary: triage },
  { weight: 2, arbitrary: releases },
  { weight: 1, arbitrary: retention },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen by time' as const) }) },
  { weight: 3, arbitrary: search },
)

export type WorkStep = typeof step extends fc.Arbitrary<infer Step> ? Step : never

/** Steps, each at some time after the one before. */
export interface TimedStep {
  afterMs: number
  step: WorkStep
}

export function timedSteps(maxLength: number): fc.Arbitrary<TimedStep[]> {
  const timed = fc.record({ afterMs: oneOf(1, 1_000, 10 * minuteMs, 5 * hourMs, 2 * dayMs), step })
  return fc.array(timed, { minLength: 1, maxLength, size: 'max' })
}
