/**
 * The tags that are made of fields of an event. The keys are Sentry's; `handled` is `yes` or `no`. Signs,
 * searches and pages of releases depend on them, so that they are counted whatever else an issue has.
 */
export type PromotedTagKey = (typeof promotedTagKeys)[number]

/** Their keys. */
export const promotedTagKeys = [
  'level',
  'environment',
  'release',
  'dist',
  'logger',
  'server_name',
  'transaction',
  'url',
  'user',
  'user.id',
  'user.username',
  'user.email',
  'user.ip',
  'geo.country_code',
  'geo.region',
  'geo.subdivision',
  'geo.city',
  'handled',
  'mechanism',
  'browser',
  'browser.name',
  'os',
  'os.name',
  'client_os',
  'client_os.name',
  'runtime',
  'runtime.name',
  'device',
  'device.family',
] as const

const promoted: ReadonlySet<string> = new Set(promotedTagKeys)

/** True for such a key, also if the event sent the tag itself. */
export function isPromotedTagKey(key: string): boolean {
  return promoted.has(key)
}
