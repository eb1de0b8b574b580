import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FrameCache } from '#server/normalize/frame-cache.ts'
import { fillTemplate } from '#server/normalize/message-template.ts'
import { ChangeLog } from './change-log.ts'
import { eventFields, type FieldReading } from './event-fields.ts'
import { cleanMeta } from './meta-tree.ts'
import { isSecretParameter } from './names/field-name.ts'
import type { ReadEntry } from './payload-walk.ts'
import type { ScrubPlan } from './scrub-plan.ts'
import type { TextKind } from './scrub-text.ts'
import { findSecretParams } from './values/secret-params.ts'
import { isCodeOfOauth } from './values/secret-value.ts'
import { isPair, ValueScrub } from './values/value-scrub.ts'

/** A payload without its secrets. */
export interface ScrubbedPayload {
  /** `value` itself if nothing was scrubbed; otherwise a copy, with the changes in its `_meta`. */
  value: JsonObject
  /** Number of field names in the parsed payload, at any depth. */
  nameCount: number
}

/**
 * Scrubs the payload of an event, a transaction or a span according to a project's settings.
 *
 * Never throws, modifies nothing in place, and takes time linear in the payload. Idempotent. Values nested
 * deeper than `limits.scrubDepth`, which no screen shows, are removed as well.
 */
export function scrubEvent(value: JsonObject, plan: ScrubPlan, cache?: FrameCache): ScrubbedPayload {
  const log = new ChangeLog()
  const scrub = new EventScrub(plan, log, cache)
  const clean = scrub.event(value)
  return { value: clean, nameCount: log.nameCount }
}

/** True if the plan changes no payload. */
export function keepsEverything(plan: ScrubPlan): boolean {
  return plan.rules.size === 0
}

/** Scrubs a text outside of a payload, for example a file name. */
export function scrubText(text: string, plan: ScrubPlan): string {
  return new ValueScrub(plan, new ChangeLog()).line(text)
}

/** Scrubs the fields of Sentry's schema by their rules, and all others as free-form values. */
class EventScrub extends ValueScrub {
  /** A path is a route in a browser, and a file elsewhere. */
  private textKind: TextKind = 'text'
  private readonly cache: FrameCache | undefined

  constructor(plan: ScrubPlan, log: ChangeLog, cache?: FrameCache) {
    super(plan, log)
    this.cache = cache
  }

  event(source: JsonObject): JsonObject {
    if (source['platform'] === 'javascript') this.textKind = 'route'
    const sentMeta = source['_meta'] ?? null
    const isMetaClean = sentMeta === null || this.readMeta(sentMeta)
    const clean = this.fields(source, 0, this.readEventField)
    if (clean === source && isMetaClean) return source
    if (sentMeta === null && !this.log.hasChanges) return clean
    return { ...clean, _meta: this.log.meta }
  }

  private readMeta(sentMeta: Json): boolean {
    const { meta, isClean } = cleanMeta(sentMeta, this.readCleanName)
    this.log.setMeta(meta)
    return isClean
  }

  protected override text(text: string, kind: TextKind, depth: number): string {
    return super.text(text, kind === 'text' ? this.textKind : kind, depth)
  }

  private readonly readCleanName = (name: string) => this.cleanName(name)

  private readonly readEventField: ReadEntry = (entry, key, depth) => {
    if (key === '_meta') return this.untouched(entry, depth)
    if (key === 'sdk' && this.plan.removesAddresses) return this.value(entry, depth)
    // Only spans have one, and it is often a route.
    if (key === 'name') return this.texts(entry, 'route', depth)
    return this.readSchemaField(entry, key, depth)
  }

  private readonly readSchemaField: ReadEntry = (entry, key, depth) => {
    if (typeof key === 'number') return this.structure(entry, depth)
    const reading = eventFields.get(key)
    return reading === undefined ? this.named(entry, key, depth) : this.read(entry, reading, depth)
  }

  private read(entry: Json, reading: FieldReading, depth: number): Json {
    if (reading === 'safe') return typeof entry === 'object' ? this.value(entry, depth) : entry
    if (reading === 'opaque') return this.untouched(entry, depth)
    if (reading === 'structure') return this.structure(entry, depth)
    if (reading === 'query') return this.query(entry, depth)
    if (reading === 'log_entry') {
      return isJsonObject(entry) ? this.logEntry(entry, depth) : this.texts(entry, 'text', depth)
    }
    return this.texts(entry, reading, depth)
  }

  private structure(entry: Json, depth: number): Json {
    if (typeof entry !== 'object' || entry === null) return this.value(entry, depth)
    if (Array.isArray(entry) && this.cache?.areShared(entry) === true)
      return this.sharedFrames(entry, this.cache.cleanFrames, depth)
    return this.entries(entry, depth, this.readSchemaField)
  }

  /** Shared frames without secrets are scrubbed once. */
  private sharedFrames(frames: Json[], cleanFrames: FrameCache['cleanFrames'], depth: number): Json {
    const known = cleanFrames.get(frames)
    if (known?.plan === this.plan && known.textKind === this.textKind) {
      this.log.nameCount += known.nameCount
      return frames
    }
    const countBefore = this.log.nameCount
    const clean = this.entries(frames, depth, this.readSchemaField)
    const nameCount = this.log.nameCount - countBefore
    if (clean === frames) cleanFrames.set(frames, { plan: this.plan, textKind: this.textKind, nameCount })
    return clean
  }

  /** Scrubs a text, or a list of texts. */
  private texts(entry: Json, kind: TextKind, depth: number): Json {
    if (typeof entry === 'string') return this.text(entry, kind, depth)
    if (!Array.isArray(entry)) return this.value(entry, depth)
    return this.entries(entry, depth, (element, _index, elementDepth) =>
      typeof element === 'string'
        ? this.text(element, kind, elementDepth)
        : this.value(element, elementDepth),
    )
  }

  /** A parameter is also secret if the template says so: `password=%s` with `["hunter2"]`. */
  private logEntry(entry: JsonObject, depth: number): Json {
    const template = entry['message']
    return this.entries(entry, depth, (value, key, fieldDepth) => {
      if (key !== 'params' || typeof template !== 'string')
        return this.readSchemaField(value, key, fieldDepth)
      return this.params(this.value(value, fieldDepth), template, fieldDepth)
    })
  }

  private params(params: Json, template: string, depth: number): Json {
    if (typeof params !== 'object' || params === null) return params
    const filled = fillTemplate(template, params, limits.messageCharacters)
    const secrets = findSecretParams(filled, this.find(filled.text, this.textKind))
    if (secrets.size === 0) return params
    const clean = Array.isArray(params) ? [...params] : { ...params }
    for (const [key, param] of Object.entries(params)) {
      if (typeof param === 'object' || !secrets.has(String(param))) continue
      this.log.enter(depth, key)
      Object.assign(clean, { [key]: this.filter(param, 'password', depth + 1) })
    }
    return clean
  }

  /** A link with a signature grants access, so more names are secret in a query. */
  private query(entry: Json, depth: number): Json {
    if (typeof entry === 'string') {
      return this.replace(entry, depth, (text) =>
        this.find(`?${text}`, 'route').map(({ start, end, rule }) => ({
          start: Math.max(0, start - 1),
          end: end - 1,
          rule,
        })),
      )
    }
    if (typeof entry !== 'object' || entry === null) return this.value(entry, depth)
    const readParameter = hasState(entry) ? this.readCallbackParameter : this.readParameter
    return this.entries(entry, depth, (element, key, elementDepth) =>
      isPair(element)
        ? this.pair(element, elementDepth, readParameter)
        : readParameter(element, key, elementDepth),
    )
  }

  private readonly readCallbackParameter: ReadEntry = (entry, key, depth) => {
    const [value] = Array.isArray(entry) ? entry : [entry]
    const isCode = key === 'code' && typeof value === 'string' && isCodeOfOauth(value)
    return isCode && this.plan.readName('code').kind === 'plain' && this.plan.rules.has('password')
      ? this.filter(entry, 'password', depth)
      : this.readParameter(entry, key, depth)
  }

  private readonly readParameter: ReadEntry = (entry, key, depth) => {
    const isSecret = this.plan.rules.has('password') && isSecretParameter(String(key))
    return isSecret ? this.filter(entry, 'password', depth) : this.named(entry, String(key), depth)
  }
}

/** True for the query of an OAuth callback. */
function hasState(query: Json[] | JsonObject): boolean {
  return Array.isArray(query) ? query.some((pair) => isPair(pair) && pair[0] === 'state') : 'state' in query
}
