import type { ShownOutcome } from '#server/store/outcomes/records.ts'

/** Every outcome with its name on the screen, in the order they are shown. */
export const outcomeNames: Record<ShownOutcome, string> = {
  accepted: 'accepted',
  filtered: 'filtered',
  rate_limited: 'rate limited',
  invalid: 'invalid',
  abuse: 'abuse',
  client_discard: 'client discard',
  undelivered: 'undelivered',
  unsupported: 'not supported',
}

/** What each outcome means. */
export const outcomeSentences: Record<ShownOutcome, string> = {
  accepted: 'Stored, grouped and shown; sessions are counted for their release.',
  filtered: 'Dropped by an inbound filter.',
  rate_limited: 'Refused because too much came at once; the SDK was asked to wait.',
  invalid: 'Could not be stored: broken, or already there.',
  abuse: 'Refused because it broke a limit that protects the server.',
  client_discard: 'Never left the application; its SDK reported the count.',
  undelivered: 'An envelope that did not reach the project’s upstream. What was in it may be stored here.',
  unsupported: 'No error: Culvert accepts these kinds of data, and does not store them.',
}

const acceptedSentences = {
  forwarded: 'Sent on to the project’s upstream, and not stored here.',
  spike_guard:
    'Only counted: its issue got so many events at once that no more than samples of them are kept.',
}

const abuseSentences = {
  too_many_releases:
    'A session of one more release or environment than are counted for a project; retention makes room.',
}

const filterSentences = {
  'ignored-error': 'Common browser noise and empty errors.',
  'not-found-transaction': 'A page or request that ended in 404.',
  'redirect-error': 'Redirects and 404s thrown by frameworks.',
  'incomplete-transaction': 'Unnamed or unfinished page loads.',
  'chunk-load-error': 'Chunks missing after a deploy.',
  'react-hydration-errors': 'React hydration mismatches.',
  'invalid-csp': 'A report of the content security policy about an extension, an injected ad or localhost.',
  'ip-address': 'Sent from an address that the project blocks.',
  'release-version': 'Of a release that the project filters.',
  'error-message': 'Its message fits a pattern that the project filters.',
  localhost: 'Happened on a developer’s own machine.',
  'browser-extensions': 'Thrown by a browser extension, a toolbar or an in-app browser.',
  'legacy-browsers': 'Happened in a browser so old that it is not supported.',
  'web-crawlers': 'Happened while a crawler or an uptime check read the page.',
  'filtered-transaction': 'A transaction whose name is filtered, such as a health check.',
}

const limitSentences = {
  key_limit: 'Its key had sent more than it may.',
  project_limit: 'Its project had got more than it may.',
  address_limit: 'One client address had sent the project more than it may.',
  spike_guard: 'Came with an event that was only counted.',
  overload: 'Culvert had more to do than it could; each counts as one request, whatever was in it.',
}

const invalidSentences = {
  auth_client: 'A request without a key, with several keys, or with one that is not 32 hex digits.',
  auth_version: 'A request in a version of the protocol that does not exist.',
  content_type: 'A request with a content type that its endpoint does not accept.',
  cors: 'A request of a page whose origin the project does not allow, directly or through the tunnel.',
  invalid_compression:
    'A request whose body is not in the content encoding that it names, or in an unsupported one.',
  invalid_envelope: 'A request whose body is no valid envelope, or whose DSN contradicts its address.',
  invalid_multipart: 'A request whose form cannot be parsed.',
  payload: 'A request whose body ended early, or whose address names no valid event.',
  project_id: 'A request with an unknown or disabled key, or for an unknown project.',
  project_state: 'A request for a project that is disabled.',
  duplicate: 'An event with this id, or this file of an event, is already stored in the project.',
  duplicate_item: 'A second event in one envelope, which has only one event id.',
  feature_disabled: 'A request to an endpoint that Culvert does not have.',
  no_data: 'Feedback without a text, or an empty list of reports or sessions.',
  no_event_payload: 'A file that names no event it belongs to.',
  security_report: 'A report of a browser that lacks what it is about.',
  security_report_type: 'A report of a browser about something that is no error.',
  internal: 'Culvert failed on it; its bytes are kept for whoever repairs that.',
  invalid_json: 'Its payload is no JSON object, or a session without an id, a start or a release.',
  timestamp: 'A session that began more than five days ago, or in the future.',
  too_large:
    'A request over the size limit, an event of more than 1 MiB, a file for which its event or project had no room, or more at once than one envelope may bring.',
  unknown_item: 'Of a kind that Culvert has never heard of.',
}

const discardSentences = {
  backpressure: 'The application was overloaded, so the SDK sent less.',
  before_send: 'Dropped by the application’s own beforeSend.',
  buffer_overflow: 'Too many were waiting to be sent.',
  cache_overflow: 'The cache on the device was full.',
  callback_error: 'A callback of the application failed while the SDK asked it.',
  event_processor: 'Dropped by an event processor or integration in the application.',
  ignored: 'Of a kind that the application told its SDK to ignore.',
  insufficient_data: 'Too little was in it to be of use.',
  internal_sdk_error: 'The SDK itself failed.',
  invalid: 'The SDK found it broken.',
  missing_trace: 'It belongs to a trace that the SDK does not know.',
  network_error: 'It could not be sent over the network.',
  no_parent_span: 'A span outside of any trace that is recorded.',
  other: 'For a reason that Culvert does not know.',
  queue_overflow: 'The queue of the SDK was full.',
  ratelimit_backoff: 'Held back after the server had asked the SDK to wait.',
  sample_rate: 'Left out by the sample rate that the application has set.',
  send_error: 'The server refused it.',
}

const undeliveredSentences = {
  upstream_deleted: 'Deleted by a person after the upstream had refused it.',
  upstream_expired: 'The upstream could not be reached for so long that it became too old.',
  upstream_full: 'So much was waiting for the upstream that the oldest had to go.',
  upstream_removed: 'Its upstream was removed while it was waiting.',
}

const unsupportedSentences = {
  feature_disabled: 'Transactions, spans, logs, metrics, replays, profiles and check-ins, with their files.',
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

/** What a reason means, in one sentence; undefined for one that has none. */
export function findReasonSentence(outcome: ShownOutcome, reason: string): string | undefined {
  return reasonSentences[outcome].get(reason)
}
