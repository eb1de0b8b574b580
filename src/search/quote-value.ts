/** Quotes a value for a search if it contains spaces or operators. */
export function quoteValue(value: string): string {
  return /[\s",*[\]\\()]/.test(value) || value === '' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}
