/**
 * The tags derived from fields of an event. The keys are Sentry's; `handled` is `yes` or `no`. Marks in
 * lists, searches and release pages depend on them, so they are counted independently of the limit of tag
 * keys.
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

/** True for such a key, even if the SDK sent it as a tag. */
export function isPromotedTagKey(key: string): boolean {
  return promoted.has(key)
}
