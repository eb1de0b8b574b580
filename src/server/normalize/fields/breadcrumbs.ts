import type { Breadcrumb } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { parseTimestamp } from '#protocol/timestamp.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { createSmallBudget } from '#server/normalize/free-form-json.ts'
import { parseLevel } from './level.ts'

/**
 * Reads the breadcrumbs of an event, oldest first: a list, or `{ values: [...] }`; only the newest are kept.
 * Their times are corrected by `shiftMs`, like the event's.
 */
export function readBreadcrumbs(event: FieldReader, key: string, shiftMs: number): Breadcrumb[] {
  const breadcrumbs: Breadcrumb[] = []
  for (const reader of event.objects(key, limits.breadcrumbs, event.isForIndex ? isPrinted : undefined)) {
    const breadcrumb = readBreadcrumb(reader, shiftMs)
    if (breadcrumb !== undefined) breadcrumbs.push(breadcrumb)
  }
  return breadcrumbs
}

/** Console output is searched for the digests that frameworks print. */
function isPrinted({ category }: JsonObject): boolean {
  return category === 'console'
}

/** A breadcrumb with nothing but a level is dropped, because SDKs add a level to each. */
function readBreadcrumb(reader: FieldReader, shiftMs: number): Breadcrumb | undefined {
  const breadcrumb: Breadcrumb = { level: parseLevel(reader.source['level']) ?? 'info' }
  const at = parseTimestamp(reader.source['timestamp'])
  const type = reader.text('type', limits.nameCharacters)
  const category = reader.text('category', limits.nameCharacters)
  const message = reader.anyText('message', limits.breadcrumbMessageCharacters)
  const data = reader.json('data', createSmallBudget())
  if (at !== undefined) breadcrumb.at = Math.max(0, at + shiftMs)
  if (type !== undefined) breadcrumb.type = type
  if (category !== undefined) breadcrumb.category = category
  if (message !== undefined) breadcrumb.message = message
  if (data !== undefined) breadcrumb.data = data
  return Object.keys(breadcrumb).length > 1 ? breadcrumb : undefined
}
