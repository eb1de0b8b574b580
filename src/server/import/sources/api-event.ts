import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { objectOf, objectsOf, foreignText } from './fields.ts'

/** Tags that are separate fields in the format of SDKs. */
const ownFields = new Set(['level', 'environment', 'release', 'user'])

/**
 * Converts an event of Sentry's web API to the format of SDKs: the API has its parts in `entries`, tags as a
 * list, `extra` as `context`, and other names in frames.
 */
export function fromApiEvent(event: JsonObject): JsonObject {
  const entries = new Map(
    objectsOf(event['entries']).map((entry) => [foreignText(entry, 'type'), entry['data']]),
  )
  const data = (type: string): JsonObject => {
    const value = entries.get(type)
    return isJsonObject(value) ? value : {}
  }
  const tags = objectsOf(event['tags'])
    .map((tag) => [foreignText(tag, 'key'), foreignText(tag, 'value')])
    .filter(([key = '']) => !ownFields.has(key))
  const tagOf = (key: string) =>
    objectsOf(event['tags']).flatMap((tag) => (tag['key'] === key ? [foreignText(tag, 'value')] : []))[0]
  return withoutEmpty({
    event_id: foreignText(event, 'eventID'),
    timestamp: event['dateCreated'],
    platform: event['platform'],
    level: tagOf('level'),
    environment: tagOf('environment'),
    logger: tagOf('logger'),
    transaction: tagOf('transaction'),
    server_name: tagOf('server_name'),
    release: tagOf('release') ?? releaseOf(event['release']),
    dist: event['dist'],
    sdk: event['sdk'],
    user: event['user'],
    contexts: event['contexts'],
    extra: event['context'],
    modules: event['packages'],
    fingerprint: event['fingerprint'],
    tags,
    exception: entries.has('exception')
      ? { values: objectsOf(data('exception')['values']).map(toException) }
      : null,
    threads: entries.has('threads') ? { values: objectsOf(data('threads')['values']).map(toThread) } : null,
    stacktrace: entries.has('stacktrace') ? toStackTrace(data('stacktrace')) : null,
    logentry: entries.has('message') ? toMessage(data('message')) : null,
    breadcrumbs: entries.has('breadcrumbs') ? { values: objectsOf(data('breadcrumbs')['values']) } : null,
    request: entries.has('request') ? toRequest(data('request')) : null,
    csp: entries.has('csp') ? data('csp') : null,
  })
}

function toMessage({ formatted, message }: JsonObject): JsonObject {
  return withoutEmpty({ formatted, message })
}

function releaseOf(value: unknown): string | undefined {
  return isJsonObject(value) ? foreignText(value, 'version') || undefined : undefined
}

function toException(value: JsonObject): JsonObject {
  const { type, value: text, module, mechanism, threadId } = value
  return withoutEmpty({
    type,
    value: text,
    module,
    mechanism,
    thread_id: threadId,
    stacktrace: toStackTrace(objectOf(value, 'stacktrace')),
  })
}

function toThread(value: JsonObject): JsonObject {
  const { id, name, crashed, current } = value
  return withoutEmpty({ id, name, crashed, current, stacktrace: toStackTrace(objectOf(value, 'stacktrace')) })
}

function toStackTrace(stackTrace: JsonObject): JsonObject | null {
  const frames = objectsOf(stackTrace['frames']).map(toFrame)
  return frames.length === 0 ? null : { frames }
}

function toFrame(frame: JsonObject): JsonObject {
  const { filename, module, vars, platform } = frame
  const name = frame['function']
  const line = frame['lineNo']
  const context = Array.isArray(frame['context']) ? frame['context'] : []
  const lines = context.flatMap((pair) =>
    Array.isArray(pair) && typeof pair[0] === 'number' && typeof pair[1] === 'string'
      ? [{ number: pair[0], text: pair[1] }]
      : [],
  )
  const at = typeof line === 'number' ? line : Number.NaN
  const own = lines.find(({ number }) => number === at)
  return withoutEmpty({
    filename,
    function: name,
    module,
    vars,
    platform,
    abs_path: frame['absPath'],
    lineno: line,
    colno: frame['colNo'],
    in_app: frame['inApp'],
    package: frame['package'],
    instruction_addr: frame['instructionAddr'],
    pre_context: lines.flatMap(({ number, text }) => (number < at ? [text] : [])),
    context_line: own?.text,
    post_context: lines.flatMap(({ number, text }) => (number > at ? [text] : [])),
  })
}

function toRequest({ url, method, data, query, headers, cookies, env }: JsonObject): JsonObject {
  return withoutEmpty({ url, method, data, headers, cookies, env, query_string: query })
}

function withoutEmpty(fields: Record<string, Json | undefined>): JsonObject {
  const kept: JsonObject = {}
  for (const [name, value] of Object.entries(fields)) {
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) kept[name] = value
  }
  return kept
}
