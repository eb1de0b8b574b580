/** Parses a debug id to 32 lower-case hex digits. Undefined if it is not a UUID. */
export function parseDebugId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 36) return undefined
  const hex = value.replaceAll('-', '').toLowerCase()
  return /^[\da-f]{32}$/.test(hex) ? hex : undefined
}

/** Formats a debug id as a UUID. */
export function formatDebugId(debugId: string): string {
  return debugId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
