/** A value as it has to be written in a search: between quotes where it has blanks or signs of the language. */
export function quoteValue(value: string): string {
  return /[\s",*[\]\\()]/.test(value) || value === '' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}
