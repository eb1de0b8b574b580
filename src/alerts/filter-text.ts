import { levels } from '#protocol/event.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { AlertFilter } from './rule.ts'
import { formatDuration } from './sentence.ts'

/** The filters of a rule, or the error of a line. */
export type ParsedFilters = { ok: true; filters: AlertFilter[] } | { ok: false; problem: string }

/** Example lines for `parseFilters`. */
export const filterExamples = [
  'environment is production',
  'release is not web@1.2.0',
  'level at least error',
  'tag browser is Firefox',
  'path contains checkout/',
  'text does not contain timeout',
  'not assigned',
  'assigned to ada@example.com',
  'older than 2 hours',
] as const

/** A member in filters, by email address. `email` is in lower case. */
export interface FilterPerson {
  userId: string
  email: string
}

/** Parses filters, one per line; empty lines are skipped. */
export function parseFilters(text: string, people: readonly FilterPerson[] = []): ParsedFilters {
  const filters: AlertFilter[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '') continue
    const filter = parseAssignee(trimmed, people) ?? parseFilter(trimmed)
    if (typeof filter === 'string') return { ok: false, problem: `Line ${at + 1}: ${filter}` }
    if (filter === undefined)
      return { ok: false, problem: `Line ${at + 1} is not a filter. Example: "${filterExamples[0]}".` }
    filters.push(filter)
  }
  return { ok: true, filters }
}

/** Returns the problem of the address as a text. */
function parseAssignee(line: string, people: readonly FilterPerson[]): AlertFilter | string | undefined {
  const [, not, address] = /^(not )?assigned to (\S+)$/.exec(line) ?? []
  if (address === undefined) return undefined
  const person = people.find(({ email }) => email === address.toLowerCase())
  if (person === undefined) return `${address} is not the email address of a user with access to the project.`
  return { kind: 'assignee', is: not === undefined, id: person.userId }
}

function parseFilter(line: string): AlertFilter | undefined {
  const [, kind, not, value] = /^(environment|release) is (not )?(\S.*)$/.exec(line) ?? []
  if ((kind === 'environment' || kind === 'release') && value !== undefined)
    return { kind, is: not === undefined, value }
  const tag = /^tag (\S+) is (not )?(\S.*)$/.exec(line)
  if (tag) return { kind: 'tag', is: tag[2] === undefined, key: tag[1] ?? '', value: tag[3] ?? '' }
  const part = /^(path|text) (contains|does not contain) (\S.*)$/.exec(line)
  if (part?.[3] !== undefined)
    return { kind: part[1] === 'path' ? 'path' : 'text', is: part[2] === 'contains', value: part[3] }
  if (/^(?:not )?assigned$/.test(line)) return { kind: 'assigned', is: line === 'assigned' }
  const level = levels.find((each) => line === `level at least ${each}`)
  if (level !== undefined) return { kind: 'level', atLeast: level }
  return parseAge(line)
}

const units = { minute: minuteMs, hour: hourMs, day: dayMs } as const

function parseAge(line: string): AlertFilter | undefined {
  const [, than, count, unit] = /^(older|newer) than ([1-9]\d{0,5}) (minute|hour|day)s?$/.exec(line) ?? []
  if (unit !== 'minute' && unit !== 'hour' && unit !== 'day') return undefined
  return { kind: 'age', than: than === 'older' ? 'older' : 'newer', ms: Number(count) * units[unit] }
}

/** The inverse of `parseFilters`. A former member is written as an id. */
export function formatFilterLine(filter: AlertFilter, people: readonly FilterPerson[] = []): string {
  switch (filter.kind) {
    case 'environment':
    case 'release':
      return `${filter.kind} is ${filter.is ? '' : 'not '}${filter.value}`
    case 'tag':
      return `tag ${filter.key} is ${filter.is ? '' : 'not '}${filter.value}`
    case 'level':
      return `level at least ${filter.atLeast}`
    case 'assigned':
      return filter.is ? 'assigned' : 'not assigned'
    case 'assignee': {
      const email = people.find(({ userId }) => userId === filter.id)?.email
      return `${filter.is ? '' : 'not '}assigned to ${email ?? filter.id}`
    }
    case 'path':
    case 'text':
      return `${filter.kind} ${filter.is ? 'contains' : 'does not contain'} ${filter.value}`
    case 'age':
  }
  return `${filter.than} than ${formatDuration(filter.ms)}`
}
