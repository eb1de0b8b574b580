import { isIP } from 'node:net'
import { dayMs } from '#time/time-steps.ts'
import { sumRows, type Facts } from './facts.ts'
import type { Answer } from './send.ts'
import { fixture } from './target.ts'

/** The text of a clause, and its check. Without a check, the rules of every case cover it. */
interface Clause {
  words: RegExp
  holds?: (facts: Facts, match: RegExpExecArray) => boolean
}

const eventId = /^\{"id":"[0-9a-f]{32}"\}$/
/** A body of 30 MB buffered twice, or a smaller one buffered many times. */
const bufferedTwiceBytes = 60e6
/** Tags of an event, promoted ones included. */
const tagsPerEvent = 250

const all = (facts: Facts, test: (answer: Answer) => boolean) => facts.answers.every(test)
const isRefused = ({ answers }: Facts) => answers.every(({ status }) => status === 0 || status >= 400)
const addsOne = ({ addedEvents }: Facts) => addedEvents.length === 1
const addsNothing = ({ added }: Facts) => sumRows(added) === 0
const repliesId = (facts: Facts) => all(facts, ({ body }) => eventId.test(body.trim()))
const isJson = (facts: Facts) =>
  all(facts, ({ status, body }) => status === 0 || body === '' || isJsonText(body))
const allows = (facts: Facts, methods: string) => all(facts, ({ headers }) => headers.allow === methods)
const occurredWithin = ({ addedEvents }: Facts, beforeMs: number) =>
  addedEvents.every(
    ({ occurredAt, receivedAt }) => occurredAt <= receivedAt + 60_000 && occurredAt >= receivedAt - beforeMs,
  )

/** The clauses of the cases, and their checks. Order matters: text of one entry is not matched again. */
const clauses: Clause[] = [
  // Measured for every case, or true of every case.
  { words: /no outbound (?:request|connection)[^;,]*/ },
  { words: /process alive|next valid request answers 200|no crash|no uncaught exception|isolated:/ },
  { words: /skipped or refused|only one layer is ever decoded|never proxied|no tunnel|not forwarded|no 5xx/ },
  { words: /never 5xx|never 500|5xx is not|never an error|total request time is capped/ },
  { words: /(?:event )?loop stall < 250 ms|\/health < 1 s throughout|other requests p99 < 250 ms meanwhile/ },
  {
    words:
      /^(?:417|431)$|^100 then 200$|decoding stops at the limit|200 where the runtime has zstd, else 415/,
  },
  { words: /RSS peak < 700 MB|50 at once|~306 kB in|window size also limited|inner decode is bounded too/ },
  {
    words:
      /no array of 20 million lines is built|nothing allocated from the number|header line is bounded|^bounded$/,
  },
  { words: /(?:same guard on every ingest endpoint|not a poison message|no retry loop|refusing is fine)/ },
  {
    words:
      /^Relay accepts base64|^Relay: [^;]*|^Relay ignores it: 401|^Sentry rejects[^;]*|^spec example[^;]*/,
  },
  {
    words: /no copy amplification|without buffering 30 MB twice/,
    holds: ({ growthBytes }) => growthBytes < bufferedTwiceBytes,
  },
  { words: /RSS growth < (\d+) MB/, holds: (facts, [, mb]) => facts.growthBytes < Number(mb) * 1e6 },
  { words: /answers < 1 s/, holds: (facts) => all(facts, ({ ms }) => ms < 1_000) },
  {
    words: /answers in < 250 ms after the last byte/,
    holds: (facts) => all(facts, ({ sinceSentMs }) => sinceSentMs < 250),
  },
  {
    words: /the upstream request carries none of Cookie, Authorization, X-Api-Key/,
    holds: ({ sentUp }) =>
      sentUp.length > 0 &&
      !sentUp.some((headers) => /SECRET|^(?:cookie|authorization|x-api-key)$/im.test(headers)),
  },
  { words: /only content-type, content-encoding, user-agent, x-forwarded-for as configured/ },
  {
    words: /one value used, and it is the validated one/,
    holds: isRefused,
  },
  {
    words: /forwarding headers from an untrusted peer have no effect/,
    holds: ({ sentUp }) => !sentUp.some((headers) => headers.includes('evil.example')),
  },
  {
    words: /well-formed but not in the table: not forwarded|extra parameters have no effect/,
    holds: ({ sentUp }) => !sentUp.some((headers) => headers.includes('evil')),
  },
  // Stored data.
  { words: /event stored exactly once/, holds: addsOne },
  {
    words: /nothing stored in 43|never stored in 43[^;]*/,
    holds: ({ added }) => !added.get(fixture.otherProject),
  },
  { words: /nothing stored(?: in any project| anywhere)?/, holds: addsNothing },
  {
    words: /stored under ([0-9a-f]{32})/,
    holds: ({ after }, [, id]) => after.events.some((event) => event.id === id),
  },
  {
    words: /^stored(?: on both databases| well-formed| trimmed)?$|^stored(?=,)|; stored$|hashed, not/,
    holds: addsOne,
  },
  { words: /at most one event per envelope is stored/, holds: ({ addedEvents }) => addedEvents.length <= 1 },
  {
    words: /either parsed whole or refused whole|all-or-nothing|never a half-stored envelope/,
    holds: (facts) => isRefused(facts) === addsNothing(facts),
  },
  {
    words: /at most a fixed number of tags stored/,
    holds: ({ before, after }) => after.tagRows - before.tagRows <= tagsPerEvent,
  },
  { words: /stored as an index key/, holds: ({ after }) => after.longestHashBytes <= 64 },
  { words: /clamped to the received time/, holds: (facts) => occurredWithin(facts, 30 * dayMs) },
  {
    words: /clock drift is corrected or clamped|event is visible in "last hour"/,
    holds: (facts) => occurredWithin(facts, dayMs / 24),
  },
  {
    words: /stored value is a valid IP or null/,
    holds: ({ addedEvents }) =>
      addedEvents.every(({ clientAddress: from }) => from === null || isIP(from) > 0),
  },
  {
    words: /a resend with the same event id stores nothing more/,
    holds: ({ addedByResend }) => addedByResend === 0,
  },
  {
    words:
      /the content type is ignored|the newline inside the unknown payload is skipped by length|override ignored/,
    holds: addsOne,
  },
  {
    words: /no issue made/,
    holds: ({ addedEvents, answers }) => addedEvents.length === 0 && answers.length > 0,
  },
  {
    words:
      /stacked codings refused|well-formed but not in the table|the DSN in the envelope must equal the table entry/,
    holds: isRefused,
  },
  {
    words: /length counts bytes, not UTF-16 units|no coercion|header must be a JSON object|cut off/,
    holds: isRefused,
  },
  // Answers.
  {
    words: /empty envelope is valid: 200, empty JSON object/,
    holds: (facts) => all(facts, ({ body }) => body.trim() === '{}'),
  },
  {
    words: /reply \{"id":<32 hex>\}(?: without a redirect)?|server makes an event id and returns it/,
    holds: repliesId,
  },
  {
    words: /all nil ids must not collapse into one event silently: refuse or make a new id/,
    holds: (facts) =>
      isRefused(facts) || (repliesId(facts) && all(facts, ({ body }) => !body.includes('0'.repeat(32)))),
  },
  { words: /empty JSON object|^200,?$/ },
  {
    words: /plain JSON error that does not echo the input as HTML/,
    holds: (facts) => isJson(facts) && all(facts, ({ body }) => !body.includes('<')),
  },
  {
    words: /no HTML page|no stack trace|JSON error/,
    holds: (facts) => isJson(facts) && all(facts, ({ body }) => !/<html|\\n +at |node:internal/.test(body)),
  },
  {
    words: /Allow: (POST(?:, OPTIONS)?)/,
    holds: (facts, [, methods = '']) => allows(facts, methods) || allows(facts, 'POST, OPTIONS'),
  },
  {
    words: /never the SSR page/,
    holds: (facts) => all(facts, ({ headers }) => !headers['content-type']?.includes('html')),
  },
  {
    words: /no cookie set/,
    holds: (facts) => all(facts, ({ headers }) => headers['set-cookie'] === undefined),
  },
  {
    words: /Accept-Encoding lists what is supported/,
    holds: (facts) => all(facts, ({ headers }) => headers['accept-encoding']?.includes('gzip') === true),
  },
  {
    words: /same bytes as (\w+-\d+)/,
    holds: ({ bodies, answers }, [, other = '']) => {
      const body = bodies.get(other)
      return body === undefined || answers.every((answer) => answer.body === body)
    },
  },
  {
    words: /per-IP limit answers 429 with Retry-After and X-Sentry-Rate-Limits/,
    holds: ({ answers }) => {
      const late = answers.filter(({ status }) => status === 429)
      return late.length > 0 && late.every(({ headers: h }) => h['retry-after'] && h['x-sentry-rate-limits'])
    },
  },
  { words: /other IPs unaffected/ },
  {
    words: /never CORS-open/,
    holds: (facts) => all(facts, ({ headers: h }) => h['access-control-allow-origin'] !== '*'),
  },
  { words: /our own log stays one JSON object per line/ },
  {
    words: /over 20 MB on the wire: 413[^;]*DELIVERED[^;]*/,
    holds: (facts) => all(facts, ({ status }) => status === 413),
  },
  {
    words:
      /^(?:sandboxed frames |frames |either )?refused(?: at the header cap)?|not in the table: a third party cannot[^;]*/,
    holds: isRefused,
  },
]

/** The result of a `must`: the clauses that do not hold, and those that cannot be checked. */
export function checkMust(facts: Facts): { broken: string[]; unchecked: string[]; checked: number } {
  const broken: string[] = []
  const unchecked: string[] = []
  let checked = 0
  // Text in parentheses contains reasons and sources.
  const parts = facts.input.expect.must.replaceAll(/\((?:[^()]{3,})\)/g, '').split(/;/)
  for (const part of parts) {
    let left = part.trim()
    for (const { words, holds } of clauses) {
      for (let match = words.exec(left); match !== null; match = words.exec(left)) {
        checked++
        if (holds && !holds(facts, match)) broken.push(match[0])
        left = left.replace(match[0], '').trim()
        if (match[0] === '') break
      }
    }
    const rest = left.replace(/^[\s,:.]+|[\s,:.]+$/g, '')
    if (/[a-z0-9]{2}/i.test(rest)) unchecked.push(rest)
  }
  return { broken, unchecked, checked }
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
