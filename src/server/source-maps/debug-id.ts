/** The id that a build wrote into code and map: 32 lower-case hex digits; undefined for what is no UUID. */
export function parseDebugId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 36) return undefined
  const hex = value.replaceAll('-', '').toLowerCase()
  return /^[\da-f]{32}$/.test(hex) ? hex : undefined
}

/** The same as people and tools write it, a UUID. */
export function formatDebugId(debugId: string): string {
  return debugId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
