import type { Locator, Page } from '@playwright/test'

/** The id of a span: 16 hex digits. */
export function spanId(number: number): string {
  return number.toString(16).padStart(16, '0')
}

/** The rows of the spans on the page of a trace. */
export function rowsOf(page: Page): Locator {
  return page.getByRole('treegrid', { name: 'Spans' }).getByRole('row')
}
