/**
 * How the fields of Sentry's schema are scrubbed.
 *
 * `safe`: unchanged if it is a scalar (ids, times, versions; Relay's exclusions). `opaque`: always unchanged.
 * `structure`: its own fields are looked up here again. `log_entry`: a message with parameters. `query`: a
 * query string, as text or as pairs. Others are the kinds of texts (`TextKind`).
 */
export type FieldReading =
  | 'safe'
  | 'opaque'
  | 'structure'
  | 'log_entry'
  | 'query'
  | 'text'
  | 'route'
  | 'source'
  | 'location'

/** Fields of an event and its parts. All other fields are free-form: their names and texts are inspected. */
export const eventFields: ReadonlyMap<string, FieldReading> = new Map<string, FieldReading>([
  ...named('safe', [
    'checksum',
    'dist',
    'environment',
    'event_id',
    'level',
    'platform',
    'received',
    'release',
    'start_timestamp',
    'timestamp',
    // Fields of a frame.
    'addr_mode',
    'colno',
    'function',
    'image_addr',
    'in_app',
    'instruction_addr',
    'lang',
    'lineno',
    'module',
    'package',
    'raw_function',
    'symbol',
    'symbol_addr',
    'trust',
    // Fields of a mechanism or a thread.
    'crashed',
    'current',
    'exception_id',
    'handled',
    'is_exception_group',
    'method',
    'parent_id',
    'synthetic',
    'thread_id',
  ]),
  ...named('opaque', ['debug_meta', 'measurements', 'modules', 'sdk']),
  ...named('structure', [
    'breadcrumbs',
    'exception',
    'frames',
    'mechanism',
    'raw_stacktrace',
    'request',
    'sentry.interfaces.Breadcrumbs',
    'sentry.interfaces.Exception',
    'sentry.interfaces.Http',
    'sentry.interfaces.Stacktrace',
    'sentry.interfaces.Template',
    'stacktrace',
    'template',
    'threads',
    'values',
  ]),
  ...named('log_entry', ['logentry', 'message', 'sentry.interfaces.Message']),
  ...named('text', ['category', 'description', 'fingerprint', 'formatted', 'type', 'value']),
  ...named('route', ['transaction', 'url']),
  ...named('query', ['query_string']),
  ...named('source', ['context_line', 'post_context', 'pre_context']),
  ...named('location', ['abs_path', 'filename']),
])

function named(reading: FieldReading, names: string[]): [string, FieldReading][] {
  return names.map((name) => [name, reading])
}
