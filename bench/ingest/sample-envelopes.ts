import * as v from 'valibot'
import { createRandom } from '../support/random.ts'
import type { SampleEnvelope } from './sample-envelope.ts'
import { createExports, createPageLoads } from './sample-traces.ts'

const placeholderId = '0123456789abcdef0123456789abcdef'
const placeholderTime = 1_234_567_890.123

/** The schema of `SampleOptions`. */
export const sampleOptions = v.object({
  count: v.number(),
  /** The same seed produces the same envelopes. */
  seed: v.number(),
  /** Default: 200. */
  issueCount: v.optional(v.number()),
  /**
   * `unique`: Node errors of about 8 kB with 12 frames whose variables differ from event to event. Default:
   * browser errors of about 6 kB whose frames repeat within an issue.
   */
  frames: v.optional(v.picklist(['repeated', 'unique'])),
  /** The DSN in the envelope's headers. */
  dsn: v.optional(v.string()),
  /** Default: errors. */
  content: v.optional(v.picklist(['errors', 'pageLoads', 'exports'])),
  /** True: errors have the time at which they are sent. Default: a time within the minute before the load. */
  isTimed: v.optional(v.boolean()),
})

/** The common part of sample events. */
export type SampleOptions = v.InferOutput<typeof sampleOptions>
export type Frames = NonNullable<SampleOptions['frames']>

const busyIssues = 200

/**
 * Creates `count` different errors over that many issues. The issue is the cube of a random number: of 200,
 * the first one gets 17 % of the events; of 5,000, 6 %.
 */
export function createSampleEnvelopes(options: SampleOptions): SampleEnvelope[] {
  const {
    count,
    seed,
    issueCount = busyIssues,
    frames = 'repeated',
    dsn = '',
    content,
    isTimed = false,
  } = options
  if (content === 'pageLoads') return createPageLoads(count, seed)
  if (content === 'exports') return createExports(count, seed)
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const issue = Math.floor(issueCount * random() ** 3)
    const event = createEvent(issue, random, frames)
    return isTimed ? toTimed({ ...event, timestamp: placeholderTime }) : toEnvelope(event, dsn)
  })
}

/** Creates one such error for each of `count` further issues, which no other sample belongs to. */
export function createQuietEnvelopes(count: number, seed: number): SampleEnvelope[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) =>
    toEnvelope(createEvent(busyIssues + index, random, 'repeated')),
  )
}

function toTimed(event: object): SampleEnvelope {
  const envelope = toEnvelope(event)
  return { ...envelope, timeOffset: envelope.bytes.indexOf(String(placeholderTime)) }
}

function toEnvelope(event: object, dsn = ''): SampleEnvelope {
  const header = {
    event_id: placeholderId,
    sent_at: new Date().toISOString(),
    sdk: { name: 'sentry.javascript.react', version: '10.75.2' },
    ...(dsn !== '' && { dsn }),
  }
  const bytes = Buffer.from(`${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}`)
  const first = bytes.indexOf(placeholderId)
  return { bytes, idOffsets: [first, bytes.indexOf(placeholderId, first + 32)] }
}

function createEvent(issue: number, random: () => number, frames: Frames): object {
  const number = (below: number) => Math.floor(random() * below)
  const digits = () => random().toString(16).slice(2, 14)
  return {
    event_id: placeholderId,
    platform: 'javascript',
    timestamp: Date.now() / 1000 - number(60),
    level: 'error',
    environment: 'production',
    release: `web@1.${number(12)}.0`,
    transaction: `/category/${issue % 17}`,
    user: { id: String(number(20_000)), ip_address: `203.0.113.${number(255)}` },
    tags: { cart: digits(), region: `eu-${number(4)}` },
    contexts: {
      trace: {
        trace_id: `${digits()}${digits()}${'0'.repeat(8)}`.slice(0, 32).padEnd(32, '0'),
        span_id: digits().padEnd(16, '0').slice(0, 16),
      },
    },
    request: {
      url: `https://shop.example/category/${issue % 17}/item/${number(5000)}`,
      headers: {
        'User-Agent': `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${130 + number(12)}.0.0.0 Safari/537.36`,
      },
    },
    breadcrumbs: Array.from({ length: 14 }, (_, at) => ({
      timestamp: Date.now() / 1000 - at,
      category: at % 3 === 0 ? 'fetch' : 'ui.click',
      message: `button#${digits()} > span.label`,
      data: { url: `/api/${digits()}`, status_code: 200 },
    })),
    exception: {
      values: [
        {
          type: `Issue${issue}Error`,
          value: `Cannot read item ${number(100_000)} of cart ${digits()}`,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: frames === 'unique' ? createNodeFrames(issue, digits) : createFrames(issue) },
        },
      ],
    },
    sdk: { name: 'sentry.javascript.react', version: '10.75.2' },
  }
}

function createFrames(issue: number): object[] {
  return Array.from({ length: 18 }, (_, at) => ({
    filename: `https://shop.example/assets/chunk-${(issue * 7 + at) % 40}.js`,
    function: `handle${issue}Step${at}`,
    lineno: 100 + at,
    colno: 17,
    in_app: at > 8,
    context_line: `    return this.items[${at}].price * quantity // line ${issue}`,
  }))
}

/** With local variables, one of which is a token that scrubbing removes. */
function createNodeFrames(issue: number, digits: () => string): object[] {
  return Array.from({ length: 12 }, (_, at) => ({
    filename: `/app/src/module-${(issue * 7 + at) % 40}.js`,
    module: `module-${(issue * 7 + at) % 40}`,
    function: `handle${issue}Step${at}`,
    lineno: 100 + at,
    colno: 17,
    in_app: at > 4,
    context_line: `    return this.items[${at}].price * quantity // line ${issue}`,
    vars: {
      cart: digits(),
      session: `session=${digits()}; path=/`,
      authorization: `Bearer ${digits()}${digits()}`,
      note: `order ${digits()} of customer ${digits()} was paid`,
    },
  }))
}
