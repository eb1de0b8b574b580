import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { decodePayload, parsePayloadText, type PayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'

/**
 * How every SDK begins the frames of a trace. Never found within a text: there the quotes would be escaped.
 */
const beginning = '"stacktrace":{"frames":['
/**
 * Ends the last frame, the list and the trace; frames that hold the same before that are not told apart, and
 * not remembered.
 */
const ending = '}]}'
/** Begins the placeholder of removed frames: an unused character that is fast to find. */
const placeholder = '\x7f'

interface Remembered {
  text: string
  frames: Json[]
}

/** By end and length: hashing the complete text takes longer than one comparison. */
const remembered = new Map<string, Remembered[]>()
/** In insertion order. */
const inOrder = new Set<Remembered>()
let rememberedCharacters = 0
const repeated = new WeakSet<readonly Json[]>()

/**
 * Parses the payload of an event like `parsePayloadJson`; frames that came before, letter by letter the same,
 * are not parsed again: half of a usual event. The value shares them with other events, so it must not be
 * changed.
 */
export function parseEventPayload(bytes: Uint8Array): PayloadJson {
  const text = decodePayload(bytes)
  const cut = cutFrames(text)
  if (cut === undefined) return parsePayloadText(text)
  const parsed = parsePayloadText(cut.text)
  const isWhole = parsed.ok && putBack(parsed.value, cut.frames) === cut.frames.length
  return isWhole ? parsed : parsePayloadText(text)
}

/** True for frames that several events share, so that results about them are valid for all. */
export function areRepeated(frames: readonly Json[]): boolean {
  return repeated.has(frames)
}

interface CutText {
  text: string
  /** By the number of their placeholder. */
  frames: Json[][]
}

function cutFrames(text: string): CutText | undefined {
  let at = text.indexOf(beginning)
  if (at === -1 || text.includes(placeholder)) return undefined
  const frames: Json[][] = []
  let rest = ''
  let copiedTo = 0
  while (at !== -1) {
    const start = at + beginning.length - 1
    const endingAt = text.indexOf(ending, start)
    if (endingAt === -1) break
    const end = endingAt + ending.length - 1
    // Behind the end also where nothing was found: lists within lists all have this one end, and each would
    // be parsed again.
    at = text.indexOf(beginning, end)
    const known = recall(text.slice(start, end))
    if (known === undefined) continue
    rest += `${text.slice(copiedTo, start)}"${placeholder}${frames.length}"`
    copiedTo = end
    frames.push(known)
  }
  return frames.length === 0 ? undefined : { text: rest + text.slice(copiedTo), frames }
}

/** The frames that a text holds; undefined where it is not worth remembering, or no list as a whole. */
function recall(text: string): Json[] | undefined {
  if (text.length > limits.repeatedFramesCharacters) return undefined
  const key = keyOf(text)
  const known = remembered.get(key)?.find((each) => each.text === text)
  if (known !== undefined) return known.frames === noList ? undefined : known.frames
  // Variables differ from one event to the next.
  if (text.includes('"vars":')) return undefined
  const parsed = parsePayloadText(text)
  const frames = parsed.ok && isList(parsed.value) ? parsed.value : noList
  // A copy: a slice of the payload would keep all of it in memory.
  remember(key, { text: Buffer.from(text).toString(), frames })
  return frames === noList ? undefined : frames
}

/** The last frame stands at the end, where the error was thrown. */
function keyOf(text: string): string {
  return `${text.length}${text.slice(-keyCharacters)}`
}

const keyCharacters = 64

/** Remembered of a text that is no list, so that it is not tried again and again. */
const noList: Json[] = []

function isList(value: unknown): value is Json[] {
  return Array.isArray(value)
}

/** Evicts the oldest entries first. */
function remember(key: string, made: Remembered): void {
  const alike = remembered.get(key) ?? []
  const [first] = alike
  if (first !== undefined && alike.length >= limits.rememberedFramesAlike) forget(first)
  // The list without evicted entries is a new one.
  remembered.set(key, [...(remembered.get(key) ?? []), made])
  inOrder.add(made)
  repeated.add(made.frames)
  rememberedCharacters += made.text.length
  for (const oldest of inOrder) {
    if (!isTooMuch()) break
    forget(oldest)
  }
}

function isTooMuch(): boolean {
  return inOrder.size > limits.rememberedFrames || rememberedCharacters > limits.rememberedFramesCharacters
}

function forget(oldest: Remembered): void {
  const key = keyOf(oldest.text)
  const others = remembered.get(key)?.filter((each) => each !== oldest) ?? []
  if (others.length === 0) remembered.delete(key)
  else remembered.set(key, others)
  inOrder.delete(oldest)
  rememberedCharacters -= oldest.text.length
}

/**
 * Puts frames where their placeholders stand in a payload, as far as they stand in a trace; answers how many
 * did.
 */
function putBack(payload: unknown, frames: readonly Json[][]): number {
  if (!isJsonObject(payload)) return 0
  let count = 0
  for (const holder of [payload, ...listHolders(payload['exception']), ...listHolders(payload['threads'])]) {
    const trace = holder['stacktrace']
    if (!isJsonObject(trace)) continue
    const list = frames[placeOf(trace['frames'])]
    if (list === undefined) continue
    trace['frames'] = list
    count += 1
  }
  return count
}

function listHolders(field: Json | undefined): JsonObject[] {
  const values = isJsonObject(field) ? (field['values'] ?? field) : field
  return (Array.isArray(values) ? values : [values]).filter(isJsonObject)
}

function placeOf(value: Json | undefined): number {
  const isPlaceholder = typeof value === 'string' && value.startsWith(placeholder)
  return isPlaceholder ? Number(value.slice(placeholder.length)) : -1
}
