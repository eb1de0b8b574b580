/** Words of Sentry's search that Culvert does not support, each with the reason. */
const reasons = {
  'has no bookmarks': ['bookmarks', 'bookmarked_by'],
  'has no subscriptions': ['subscribed', 'subscribed_by'],
  'has no detectors': ['detector'],
  'has no AI ratings of issues': ['issue.seer_actionability', 'issue.seer_last_run'],
  'does not store the adoption stage of a release with an issue': ['release.stage'],
  'does not store whether an error happened in the main thread': ['error.main_thread'],
  'searches events by the time when they happened: use timestamp': [
    'error.received',
    'timestamp.to_hour',
    'timestamp.to_day',
  ],
  'does not search this part of a stack trace: use stack.filename, stack.function or stack.module': [
    'stack.abs_path',
    'stack.colno',
    'stack.in_app',
    'stack.lineno',
    'stack.package',
    'stack.resource',
    'stack.stack_level',
    'symbolicated_in_app',
  ],
  'does not search this property of a device': [
    'device.battery_level',
    'device.charging',
    'device.class',
    'device.locale',
    'device.name',
    'device.online',
    'device.orientation',
    'device.screen_density',
    'device.screen_dpi',
    'device.screen_height_pixels',
    'device.screen_width_pixels',
    'device.simulator',
    'device.uuid',
  ],
  'does not search this property of an app': [
    'app.in_foreground',
    'ota_updates.channel',
    'ota_updates.runtime_version',
    'ota_updates.update_id',
    'unreal.crash_type',
  ],
  'does not search this part of a request: use url, http.method or http.status_code': ['http.referer'],
  'searches users by user.id, user.email, user.username or user.ip': ['user.display', 'user.segment'],
  'searches the location of an error by culprit, stack.filename or stack.function': ['location'],
  'does not search spans, transactions or profiles': [
    'profile.id',
    'total.count',
    'trace.span',
    'trace.parent_span',
    'trace.client_sample_rate',
    'transaction.duration',
    'transaction.op',
    'transaction.status',
    'function.duration',
  ],
} as const

const byWord = new Map(
  Object.entries(reasons).flatMap(([reason, words]) => words.map((word): [string, string] => [word, reason])),
)

/** All unsupported words of Sentry. */
export const unsupportedSentryWords: readonly string[] = [...byWord.keys()]

/** The reason why a word of Sentry is unsupported: completes "Culvert …"; undefined for any other key. */
export function findUnsupportedReason(key: string): string | undefined {
  return byWord.get(key.toLowerCase())
}
