import { sql, type InferResult } from 'kysely'
import * as v from 'valibot'
import { builtInRules } from '#alerts/built-in-rules.ts'
import { alertTransitions } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import { formatShortId } from '#server/store/issues/id.ts'
import type { Db } from '#server/store/schema/database.ts'
import { parseNotice } from './queue.ts'
import type { LedgerDelivery, LedgerEntry } from './records.ts'
import { isDecisionOf, parseRuleIds, selectDecidedRules } from './rule-sets.ts'

/** Limits the listed decisions: to projects since an instant (Unix milliseconds), one issue or one rule. */
export interface LedgerQuery {
  projectIds: readonly number[]
  since: number
  issueId?: number
  ruleId?: string | undefined
  /** Only decisions in this message. */
  deliveryId?: string | undefined
}

/** The newest decisions, at most `limits.ledgerEntriesShown`, with their messages. Two rounds. */
export async function listLedger(db: Db, query: LedgerQuery): Promise<LedgerEntry[]> {
  if (query.projectIds.length === 0) return []
  const rows = await selectDecisions(db, query).execute()
  const [deliveries, ruleNames] = await Promise.all([
    readDeliveries(
      db,
      rows.flatMap((row) => parseIds(row.delivery_ids)),
      query.deliveryId === undefined ? limits.ledgerAttemptsShown : limits.messageAttemptsShown,
    ),
    readRuleNames(db, rows.flatMap(parseRuleIds)),
  ])
  const entries = rows.flatMap((row) => toEntry(row, { deliveries, ruleNames }) ?? [])
  // Every decision in one message has the same attempts.
  return query.deliveryId === undefined
    ? entries
    : entries.map((entry, at) => (at === 0 ? entry : withoutAttempts(entry)))
}

function withoutAttempts(entry: LedgerEntry): LedgerEntry {
  const deliveries = entry.deliveries.map((delivery) =>
    Object.assign({}, delivery, { attempts: [], attemptCount: 0 }),
  )
  return Object.assign({}, entry, { deliveries })
}

function selectDecisions(db: Db, { projectIds, since, issueId, ruleId, deliveryId }: LedgerQuery) {
  return selectDecidedRules(db)
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .leftJoin('issue_parts as part', (join) =>
      join.onRef('part.project_id', '=', 'd.project_id').onRef('part.id', '=', 'd.issue_id'),
    )
    .leftJoin('issues as i', (join) =>
      join
        .onRef('i.project_id', '=', 'd.project_id')
        .on('i.id', '=', sql<number>`coalesce(part.issue_id, d.issue_id)`),
    )
    .select(['d.rule_id', 's.rule_ids', 'd.transition_id', 'd.kind', 'd.at', 'd.decided_at', 'd.result'])
    .select(['d.delivery_ids', 'd.notice'])
    .select(['p.slug', 'p.name', 'i.id as issue_id', 'i.title', 'i.subtitle', 'i.number'])
    .select((of) =>
      of
        .selectFrom('inbox_items as n')
        .select((counted) => counted.fn.countAll<number>().as('count'))
        .whereRef('n.project_id', '=', 'd.project_id')
        .whereRef('n.issue_id', '=', 'd.issue_id')
        .whereRef('n.id', '=', 'd.transition_id')
        // Ids contain no wildcards. The rules of a row notify the same users.
        .where(sql<boolean>`n.rule_ids like '%' || d.rule_id || '%'`)
        .as('inbox_count'),
    )
    .where('d.project_id', 'in', projectIds)
    .where('d.decided_at', '>=', since)
    .$if(issueId !== undefined, (of) =>
      of.where((is) => {
        const merged = is
          .selectFrom('issue_parts')
          .select('issue_parts.id')
          .where('issue_parts.project_id', 'in', projectIds)
          .where('issue_parts.issue_id', '=', issueId ?? 0)
        return is.or([is('d.issue_id', '=', issueId ?? 0), is('d.issue_id', 'in', merged)])
      }),
    )
    .$if(ruleId !== undefined, (of) => of.where(isDecisionOf(ruleId ?? '')))
    .$if(deliveryId !== undefined, (of) => of.where('d.delivery_ids', 'like', `%"${deliveryId}"%`))
    .orderBy('d.decided_at', 'desc')
    .orderBy('d.transition_id', 'desc')
    .orderBy('d.rule_id')
    .limit(limits.ledgerEntriesShown)
}

type DecisionRow = InferResult<ReturnType<typeof selectDecisions>>[number]

/** Undefined for a transition that this version does not know. */
function toEntry(
  row: DecisionRow,
  {
    deliveries,
    ruleNames,
  }: { deliveries: ReadonlyMap<string, KnownDelivery>; ruleNames: ReadonlyMap<string, string> },
): LedgerEntry | undefined {
  const { issue_id: issueId, title, subtitle, number, slug, name } = row
  const transition = alertTransitions.find((kind) => kind === row.kind)
  if (transition === undefined) return undefined
  const found = parseIds(row.delivery_ids).flatMap((id) => deliveries.get(id) ?? [])
  return {
    key: `${row.rule_id} ${row.transition_id}`,
    at: row.at,
    decidedAt: row.decided_at,
    transition,
    result: toLedgerResult(row, found),
    rules: parseRuleIds(row).map((id) => ({
      id,
      name: builtInRules.get(id)?.name ?? ruleNames.get(id) ?? 'a deleted rule',
    })),
    project: { slug, name },
    notice: parseNotice(row.notice),
    ...(issueId !== null && {
      issue: {
        id: String(issueId),
        title: title ?? '',
        subtitle: subtitle ?? '',
        shortId: formatShortId(slug, number ?? 0),
      },
    }),
    inboxCount: row.inbox_count ?? 0,
    deliveries: found.map(({ delivery }) => delivery),
  }
}

/** A delivery, with the fields that tell why its transitions were collected. */
interface KnownDelivery {
  delivery: LedgerDelivery
  transitionCount: number
  /** Unix milliseconds. */
  createdAt: number
  expiresAt: number
}

/** The result of a decision to send: sent alone, grouped, or collected in a storm or a digest. */
function toLedgerResult(
  { result, decided_at: decidedAt }: Pick<DecisionRow, 'result' | 'decided_at'>,
  found: readonly KnownDelivery[],
): string {
  if (result !== 'sent' || found.length === 0) return result
  if (found.every(({ delivery }) => delivery.kind === 'digest'))
    return found.some(isOfStorm) ? 'storm' : 'digest'
  const isGrouped = found.every(
    ({ delivery: { kind }, transitionCount, createdAt }) =>
      kind === 'digest' || transitionCount > 1 || createdAt < decidedAt,
  )
  return isGrouped ? 'grouped' : result
}

/** A digest that the user has chosen collects for longer than a storm. */
function isOfStorm({ createdAt, expiresAt, delivery: { isMail } }: KnownDelivery): boolean {
  const expiryMs = isMail ? limits.alertMailExpiryMs : limits.alertExpiryMs
  return !isMail || expiresAt - createdAt - expiryMs < limits.alertDigestMs
}

const ruleName = v.pipe(v.string(), v.parseJson(), v.object({ name: v.string() }))

/** The names of existing rules, by id. */
async function readRuleNames(db: Db, ruleIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(ruleIds)].filter((id) => !builtInRules.has(id))
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('alert_rules').select(['id', 'rule']).where('id', 'in', ids).execute()
  return new Map(
    rows.flatMap(({ id, rule }) => {
      const { success, output } = v.safeParse(ruleName, rule)
      return success ? [[id, output.name] as const] : []
    }),
  )
}

const idList = v.fallback(v.pipe(v.string(), v.parseJson(), v.array(v.string())), [])

function parseIds(text: string): string[] {
  return v.parse(idList, text)
}

async function readDeliveries(
  db: Db,
  deliveryIds: readonly string[],
  attemptsShown: number,
): Promise<Map<string, KnownDelivery>> {
  const ids = [...new Set(deliveryIds)]
  if (ids.length === 0) return new Map()
  const [rows, attempts] = await Promise.all([
    db
      .selectFrom('alert_deliveries as d')
      .leftJoin('alert_destinations as t', 't.id', 'd.destination_id')
      .leftJoin('push_subscriptions as s', 's.id', 'd.push_id')
      .leftJoin('users as u', (join) => join.on('u.id', '=', sql`coalesce(d.user_id, s.user_id)`))
      .select(['d.id', 'd.kind', 'd.status', 'd.due_at', 'd.finished_at', 'd.user_id'])
      .select(['d.transition_count', 'd.created_at', 'd.expires_at'])
      .select(['t.name as destination_name', 'u.name as user_name', 's.name as browser'])
      .where('d.id', 'in', ids)
      .execute(),
    listAttempts(db, ids, attemptsShown),
  ])
  return new Map(
    rows.map((row) => {
      const ofDelivery = attempts.get(row.id) ?? []
      const delivery: LedgerDelivery = {
        id: row.id,
        receiver:
          row.destination_name ??
          (row.browser === null ? (row.user_name ?? '') : `${row.user_name}, ${row.browser}`),
        isMail: row.user_id !== null,
        kind: row.kind,
        status: row.status,
        dueAt: row.due_at,
        finishedAt: row.finished_at ?? undefined,
        attempts: ofDelivery.map(({ at, status, answer, duration_ms: durationMs }) => ({
          at,
          status: status ?? undefined,
          answer,
          durationMs,
        })),
        attemptCount: ofDelivery[0]?.count ?? 0,
      }
      const { created_at: createdAt, expires_at: expiresAt, transition_count: transitionCount } = row
      return [row.id, { delivery, transitionCount, createdAt, expiresAt }]
    }),
  )
}

/** The newest attempts of each message, newest first, with the number of all: a server may be down a day. */
async function listAttempts(db: Db, deliveryIds: readonly string[], shown: number) {
  const numbered = db
    .selectFrom('alert_attempts')
    .selectAll()
    .select(sql<number>`row_number() over (partition by delivery_id order by at desc)`.as('place'))
    .select(sql<number>`count(*) over (partition by delivery_id)`.as('count'))
    .where('delivery_id', 'in', deliveryIds)
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where('place', '<=', shown)
    .orderBy('delivery_id')
    .orderBy('place')
    .execute()
  return Map.groupBy(rows, ({ delivery_id }) => delivery_id)
}
