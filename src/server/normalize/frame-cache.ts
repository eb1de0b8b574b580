import type { Frame, StackTrace } from '#protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { decodePayload, parsePayloadText, type PayloadJson } from '#protocol/payload-json.ts'
import { BoundedMap } from '#server/bounded-map.ts'
import type { Grouping } from '#server/group/grouping.ts'
import { limits } from '#server/limits.ts'
import type { ScrubPlan } from '#server/scrub/scrub-plan.ts'
import type { TextKind } from '#server/scrub/scrub-text.ts'

/** The start of the frames of a trace in every SDK. Inside a JSON string its quotes would be escaped. */
const framesStart = '"stacktrace":{"frames":['
/** The end of the last frame, the list and the trace. Frames that contain this text are not shared. */
const framesEnd = '}]}'
/** Replaces the frames in a payload: an otherwise unused character that is fast to find. */
const placeholder = '\x7f'
/** Memory per list of frames in addition to its JSON, in characters. */
const overheadCharacters = 200
const suffixCharacters = 64

interface SharedList {
  characterCount: number
  /** Undefined if the text is not a list. */
  frames: Json[] | undefined
}

/** Results of scrubbing frames that contain no secrets. */
export interface CleanFrames {
  plan: ScrubPlan
  textKind: TextKind
  nameCount: number
}

/** The grouping of an event by its only stack trace. */
export interface TraceGrouping {
  type: string | undefined
  platform: string
  grouping: Grouping
}

/**
 * Caches frames. It only saves time: events of one issue mostly have identical frames. From their second
 * event on, such frames are parsed, normalized, scrubbed and grouped only once, and their objects are shared:
 * do not modify them. Without the cache, the results are equal. `npm run bench -- processing` measures its
 * effect.
 */
export class FrameCache {
  /** Normalized traces by the parsed frames. */
  readonly traces = new WeakMap<readonly Json[], StackTrace>()
  /** Results of scrubbing by the parsed frames. */
  readonly cleanFrames = new WeakMap<readonly Json[], CleanFrames>()
  /** Results of grouping by the normalized frames. Undefined until the first event is grouped. */
  readonly groupings = new WeakMap<readonly Frame[], TraceGrouping | undefined>()
  private readonly lists = new BoundedMap<string, SharedList>(
    limits.cachedFramesCharacters,
    ({ characterCount }) => characterCount + overheadCharacters,
  )
  /** Lists that have occurred once, by length and suffix. */
  private readonly seenOnce = new BoundedMap<string, true>(limits.framesSeenOnce)
  private readonly shared = new WeakSet<readonly Json[]>()

  /** Parses the payload of an event like `parsePayloadJson`, with shared frames. */
  parsePayload(bytes: Uint8Array): PayloadJson {
    const text = decodePayload(bytes)
    const cut = this.cutFrames(text)
    if (cut === undefined) return parsePayloadText(text)
    const parsed = parsePayloadText(cut.text)
    const isWhole = parsed.ok && insertFrames(parsed.value, cut.lists) === cut.lists.length
    return isWhole ? parsed : parsePayloadText(text)
  }

  /** True for frames that several events share. */
  areShared(frames: readonly Json[]): boolean {
    return this.shared.has(frames)
  }

  private cutFrames(text: string): { text: string; lists: Json[][] } | undefined {
    let at = text.indexOf(framesStart)
    if (at === -1 || text.includes(placeholder)) return undefined
    const lists: Json[][] = []
    let rest = ''
    let copiedTo = 0
    while (at !== -1) {
      const start = at + framesStart.length - 1
      const endAt = text.indexOf(framesEnd, start)
      if (endAt === -1) break
      const end = endAt + framesEnd.length - 1
      // Nested lists all have this end: searching within them would take quadratic time.
      at = text.indexOf(framesStart, end)
      const frames = this.findFrames(text.slice(start, end))
      if (frames === undefined) continue
      rest += `${text.slice(copiedTo, start)}"${placeholder}${lists.length}"`
      copiedTo = end
      lists.push(frames)
    }
    return lists.length === 0 ? undefined : { text: rest + text.slice(copiedTo), lists }
  }

  /** The frames of a text; undefined if the list has not occurred before, or is incomplete. */
  private findFrames(text: string): Json[] | undefined {
    if (text.length > limits.repeatedFramesCharacters) return undefined
    const suffix = `${text.length}${text.slice(-suffixCharacters)}`
    if (this.seenOnce.get(suffix) === undefined) {
      // Values of variables differ between events.
      if (!text.includes('"vars":')) this.seenOnce.set(suffix, true)
      return undefined
    }
    const known = this.lists.get(text)
    if (known !== undefined) return known.frames
    // The list that was seen had none, and the same length and suffix.
    if (text.includes('"vars":')) return undefined
    const parsed = parsePayloadText(text)
    const frames = parsed.ok && isList(parsed.value) ? parsed.value : undefined
    // A copy, because a slice would keep the complete payload in memory.
    this.lists.set(Buffer.from(text).toString(), { characterCount: text.length, frames })
    if (frames !== undefined) this.shared.add(frames)
    return frames
  }
}

function isList(value: unknown): value is Json[] {
  return Array.isArray(value)
}

/** Replaces the placeholders in the traces of a payload by lists. Returns the number of replacements. */
function insertFrames(payload: unknown, lists: readonly Json[][]): number {
  if (!isJsonObject(payload)) return 0
  let count = 0
  for (const holder of [payload, ...valuesOf(payload['exception']), ...valuesOf(payload['threads'])]) {
    const trace = holder['stacktrace']
    if (!isJsonObject(trace)) continue
    const list = lists[placeholderIndex(trace['frames'])]
    if (list === undefined) continue
    trace['frames'] = list
    count += 1
  }
  return count
}

function valuesOf(field: Json | undefined): JsonObject[] {
  const values = isJsonObject(field) ? (field['values'] ?? field) : field
  return (Array.isArray(values) ? values : [values]).filter(isJsonObject)
}

function placeholderIndex(value: Json | undefined): number {
  const isPlaceholder = typeof value === 'string' && value.startsWith(placeholder)
  return isPlaceholder ? Number(value.slice(placeholder.length)) : -1
}
