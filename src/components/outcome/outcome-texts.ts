import type { ShownOutcome } from '#server/store/outcomes/records.ts'

/** The labels of the outcomes, in the order of the screen. */
export const outcomeNames: Record<ShownOutcome, string> = {
  accepted: 'accepted',
  filtered: 'filtered',
  rate_limited: 'rate limited',
  invalid: 'invalid',
  abuse: 'abuse',
  client_discard: 'dropped by SDK',
  undelivered: 'undelivered',
  unsupported: 'not supported',
}

/** The description of each outcome. */
export const outcomeSentences: Record<ShownOutcome, string> = {
  accepted: 'Stored, grouped and shown; sessions are counted for their release.',
  filtered: 'Dropped by an inbound filter.',
  rate_limited: 'Rejected with 429 because a rate limit was exceeded; the SDK backs off.',
  invalid: 'Could not be stored: invalid or duplicate.',
  abuse: 'Rejected because it exceeded a server limit.',
  client_discard: 'Dropped by the SDK before sending, as reported by the SDK.',
  undelivered: 'An envelope that was not delivered to the project’s upstream. Its items may be stored here.',
  unsupported: 'Not an error: accepted, but not stored.',
}

const acceptedSentences = {
  forwarded: 'Forwarded to the project’s upstream, and not stored here.',
  spike_protection: 'Counted but not stored: spike protection keeps only samples of very frequent issues.',
}

const abuseSentences = {
  too_many_releases:
    'Too many releases or environments with sessions in this project. Retention deletes old ones.',
}

const filterSentences = {
  'ignored-error': 'Common browser noise and empty errors.',
  'not-found-transaction': 'Pages or requests that ended in 404.',
  'redirect-error': 'Redirects and 404s thrown by frameworks.',
  'incomplete-transaction': 'Unnamed or unfinished page loads.',
  'chunk-load-error': 'Chunks missing after a deploy.',
  'react-hydration-errors': 'React hydration mismatches.',
  'invalid-csp': 'CSP reports about extensions, ads or localhost.',
  'ip-address': 'Sent from a blocked IP address.',
  'release-version': 'Matching releases.',
  'error-message': 'Matching messages.',
  localhost: 'Events from localhost.',
  'browser-extensions': 'Errors thrown by browser extensions, toolbars or in-app browsers.',
  'legacy-browsers': 'Events from unsupported legacy browsers.',
  'web-crawlers': 'Events caused by crawlers or uptime checks.',
  'filtered-transaction': 'Transactions with a filtered name, such as health checks.',
}

const limitSentences = {
  key_limit: 'The key exceeded its rate limit.',
  project_limit: 'The project exceeded its rate limit.',
  address_limit: 'One IP address exceeded its rate limit for the project.',
  spike_protection: 'Belongs to an event that was counted but not stored.',
  overload: 'Culvert was overloaded. Each rejected request counts as one.',
}

const invalidSentences = {
  auth_client: 'A request without a key, with several keys, or with one that is not 32 hex digits.',
  auth_version: 'A request with an unknown protocol version.',
  content_type: 'A request with an unsupported content type.',
  cors: 'A request from an origin that the project does not allow.',
  invalid_compression:
    'A request whose body does not match its content encoding, or whose encoding is unsupported.',
  invalid_envelope: 'A request whose body is not a valid envelope, or whose DSN does not match its URL.',
  invalid_multipart: 'A request whose form cannot be parsed.',
  payload: 'A request whose body ended early, or whose URL has no valid event ID.',
  project_id: 'A request with an unknown or disabled key, or for an unknown project.',
  project_state: 'A request for a project that is disabled.',
  duplicate: 'An event with this id, or this file of an event, is already stored in the project.',
  duplicate_item: 'A second event in one envelope; an envelope has only one event ID.',
  feature_disabled: 'A request to an unknown endpoint.',
  no_data: 'Feedback without text, or an empty list of reports or sessions.',
  no_event_payload: 'An attachment without an event ID.',
  security_report: 'A browser report without its required fields.',
  security_report_type: 'A browser report that does not describe an error.',
  internal: 'Processing failed; kept as a dead letter for retry.',
  invalid_json: 'The payload is not a JSON object, or a session has no ID, start or release.',
  invalid_transaction:
    'A transaction without a trace ID, a span ID or times, or with an end before its start.',
  invalid_span: 'A span without IDs or times, with an end before its start, or sent twice.',
  too_many_spans: 'Spans over the limit of one transaction, item or request.',
  timestamp: 'A session that started more than five days ago, or in the future.',
  too_large:
    'A request over the size limit, an event over 1 MiB, an attachment over the quota of its event or project, or an envelope with too many items.',
  unknown_item: 'An unknown item type.',
  monitor_slug: 'A check-in without the slug of a monitor.',
  monitor_status: 'A check-in with a status other than in_progress, ok or error.',
  monitor_environment: 'A check-in with an invalid environment, or one longer than 64 characters.',
  monitor_not_found: 'A check-in of an unknown monitor, without settings that would create it.',
  monitor_disabled: 'A check-in of a paused monitor.',
  monitor_unreadable: 'A check-in of a monitor that this version of Culvert cannot read.',
  monitor_uptime: 'A check-in with the slug of an uptime monitor, which accepts none.',
  monitor_crontab: 'A check-in that would create a monitor with an invalid crontab.',
  monitor_timezone: 'A check-in that would create a monitor with an unknown time zone.',
  monitor_interval: 'A check-in that would create a monitor with an invalid interval.',
  monitor_config: 'A check-in that would create a monitor with invalid settings.',
  monitor_limit: 'A check-in that would exceed the maximum number of monitors of a project.',
  monitor_environment_limit: 'A check-in that would exceed the maximum number of environments of a monitor.',
  monitor_finished: 'A second end of the same run.',
  monitor_rate: 'A check-in over the limit of a monitor per minute.',
}

const discardSentences = {
  backpressure: 'The application was overloaded, so the SDK reduced its sample rate.',
  before_send: 'Dropped by beforeSend in the application.',
  buffer_overflow: 'The SDK’s send buffer was full.',
  cache_overflow: 'The SDK’s cache on the device was full.',
  callback_error: 'A callback of the application threw an error.',
  event_processor: 'Dropped by an event processor or integration in the application.',
  ignored: 'Ignored by the SDK’s configuration.',
  insufficient_data: 'Insufficient data.',
  internal_sdk_error: 'An internal error of the SDK.',
  invalid: 'Rejected as invalid by the SDK.',
  missing_trace: 'Belongs to a trace that the SDK does not know.',
  network_error: 'A network error.',
  no_parent_span: 'A span outside of a recorded trace.',
  other: 'Unknown reason.',
  queue_overflow: 'The SDK’s queue was full.',
  ratelimit_backoff: 'Dropped while the SDK was rate limited.',
  sample_rate: 'Dropped by the application’s sample rate.',
  send_error: 'Rejected by the server.',
}

const undeliveredSentences = {
  upstream_deleted: 'Deleted by a user after the upstream rejected it.',
  upstream_expired: 'Expired while the upstream was unreachable.',
  upstream_full: 'The upstream’s queue was full, so the oldest was discarded.',
  upstream_removed: 'Its upstream was removed while it was queued.',
}

const unsupportedSentences = {
  feature_disabled:
    'Logs, metrics, replays and profiles; transactions and spans of projects that do not store traces; and their files.',
}

const reasonSentences: Record<ShownOutcome, ReadonlyMap<string, string>> = {
  accepted: new Map(Object.entries(acceptedSentences)),
  filtered: new Map(Object.entries(filterSentences)),
  rate_limited: new Map(Object.entries(limitSentences)),
  invalid: new Map(Object.entries(invalidSentences)),
  abuse: new Map(Object.entries(abuseSentences)),
  client_discard: new Map(Object.entries(discardSentences)),
  undelivered: new Map(Object.entries(undeliveredSentences)),
  unsupported: new Map(Object.entries(unsupportedSentences)),
}

/** The description of a reason, in one sentence; undefined if there is none. */
export function findReasonSentence(outcome: ShownOutcome, reason: string): string | undefined {
  return reasonSentences[outcome].get(reason)
}
