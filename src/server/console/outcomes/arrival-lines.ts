import type { OutcomeTotal } from '#server/store/outcomes/records.ts'
import { rejectionNames } from './rejection-names.ts'
import type { ArrivalLine } from './views.ts'

/** Maximum number of lines; the outcomes screen has the rest. */
const linesShown = 6

/** Outcomes of the items of a project without issues, as sentences. */
export function toArrivalLines(totals: readonly OutcomeTotal[]): ArrivalLine[] {
  return totals.flatMap((total) => findArrivalLine(total) ?? []).slice(0, linesShown)
}

type Noun = readonly [one: string, many: string]

const event: Noun = ['event', 'events']
const metric: Noun = ['metric', 'metrics']
const profile: Noun = ['profile', 'profiles']
const nouns = new Map<string, Noun>([
  ['error', event],
  ['default', event],
  ['security', ['security report', 'security reports']],
  ['transaction', ['transaction', 'transactions']],
  ['span', ['span', 'spans']],
  ['log_item', ['log entry', 'log entries']],
  ['trace_metric', metric],
  ['metric_bucket', metric],
  ['replay', ['replay', 'replays']],
  ['profile', profile],
  ['profile_chunk', profile],
  ['monitor', ['check-in', 'check-ins']],
  ['feedback', ['feedback message', 'feedback messages']],
  ['attachment', ['attachment', 'attachments']],
  ['session', ['session', 'sessions']],
])

/** Categories that a project stores by default. */
const storedByDefault = new Set(['transaction', 'span'])

/** Returns undefined for outcomes that are irrelevant to a project that waits for its first event. */
export function findArrivalLine(total: OutcomeTotal): ArrivalLine | undefined {
  const noun = nouns.get(total.category)
  if (noun === undefined) return findRequestLine(total)
  const isEvent = noun === event
  const { outcome, reason, quantity } = total
  if (outcome === 'accepted') return findAcceptedLine(total, noun)
  if (outcome === 'undelivered' || (outcome === 'client_discard' && !isEvent)) return undefined
  const items = countedNoun(quantity, ...noun)
  if (outcome === 'unsupported' || reason === 'feature_disabled') {
    const why = storedByDefault.has(total.category)
      ? 'traces are turned off in this project'
      : `Culvert does not store ${noun[1]}`
    return { text: `${items} arrived; ${why}` }
  }
  return { text: `${items} ${lossOf(outcome, quantity === 1 ? 'was' : 'were')}`, reason }
}

type Loss = Exclude<OutcomeTotal['outcome'], 'accepted' | 'undelivered' | 'unsupported'>

function lossOf(outcome: Loss, were: string): string {
  const texts: Record<Loss, string> = {
    filtered: `arrived and ${were} dropped by the filter`,
    rate_limited: 'arrived over the limit',
    invalid: `arrived and ${were} rejected:`,
    abuse: `arrived and ${were} rejected:`,
    client_discard: `${were} dropped by the SDK:`,
  }
  return texts[outcome]
}

/** Categories of items other than events. */
const besideEvents = new Set(['session', 'transaction', 'span', 'monitor'])

/** Accepted items that are not events. */
function findAcceptedLine({ reason, category, quantity }: OutcomeTotal, noun: Noun): ArrivalLine | undefined {
  const items = countedNoun(quantity, ...noun)
  if (reason === 'forwarded')
    return {
      text: `${items} ${quantity === 1 ? 'was' : 'were'} forwarded to the upstream and not stored here`,
    }
  return besideEvents.has(category) ? { text: `${items} arrived: the SDK is connected` } : undefined
}

const rejections: ReadonlyMap<string, string> = new Map(Object.entries(rejectionNames))

/** The items of a rejected request are unknown. */
function findRequestLine({ outcome, reason, category, quantity }: OutcomeTotal): ArrivalLine | undefined {
  if (category !== 'unknown' || outcome !== 'invalid') return undefined
  if (reason === 'unknown_item')
    return { text: `${countedNoun(quantity, 'item')} of an unknown type arrived` }
  const name = rejections.get(reason)
  return name === undefined ? undefined : { text: `${countedNoun(quantity, 'request')} ${name}` }
}

function countedNoun(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
