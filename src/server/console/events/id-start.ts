import { appConfig } from '../../../../app.config.ts'

/**
 * Parses a digest, or a complete event or trace id with or without dashes, as 12 to 32 lower-case hex digits:
 * an id or its beginning. Undefined for anything else.
 */
export function parseIdStart(text: string): string | undefined {
  const hex = text.trim().replaceAll('-', '').toLowerCase()
  const isIdStart = /^[0-9a-f]+$/.test(hex) && hex.length >= appConfig.digestLength && hex.length <= 32
  return isIdStart ? hex : undefined
}
