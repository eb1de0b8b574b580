import type { JsonObject } from '#protocol/json.ts'
import type { IssueEventRow } from '#server/console/issues/views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** An event of a list with all its texts. */
export interface EventWithTexts extends Omit<IssueEventRow, 'message'> {
  title: string
  subtitle: string
}

/**
 * The rows of a page with the text that distinguishes their events: their messages, if one differs from the
 * issue's; otherwise their URLs, if they differ; otherwise none.
 */
export function dropSameTexts(
  rows: readonly EventWithTexts[],
  issue: Pick<IssueSummary, 'title' | 'subtitle'>,
): IssueEventRow[] {
  const hasMessages = rows.some(({ title, subtitle }) => title !== issue.title || subtitle !== issue.subtitle)
  const hasUrls = !hasMessages && new Set(rows.map(({ url }) => url)).size > 1
  return rows.map(({ title, subtitle, url, ...row }) => ({
    ...row,
    ...(hasMessages && { message: title === issue.title && subtitle !== '' ? subtitle : title }),
    ...(hasUrls && url !== undefined && { url }),
  }))
}

/** The browser, system or runtime of a context, as `Firefox 143.0`. */
export function productName(context: JsonObject | undefined): string | undefined {
  const name = context?.['name']
  const version = context?.['version']
  if (typeof name !== 'string') return undefined
  return typeof version === 'string' ? `${name} ${version}` : name
}
