import * as v from 'valibot'
import { issueSorts, issueStatuses } from '#server/store/views.ts'

/** Text of a search parameter: the router reads `?release=42` as a number. */
const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform(String),
  v.trim(),
  v.minLength(1),
  v.maxLength(200),
)

function orAbsent<const TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.fallback(v.optional(schema), undefined)
}

/**
 * Filters, order and place of the issue stream as they stand in the URL. A value that makes no sense is as good as
 * none: a link from somewhere else must show a list, not an error.
 */
export const issueListSearch = v.object({
  status: orAbsent(v.picklist([...issueStatuses, 'all'])),
  project: orAbsent(text),
  environment: orAbsent(text),
  sort: orAbsent(v.picklist(issueSorts)),
  cursor: orAbsent(text),
})

export type IssueListSearch = v.InferOutput<typeof issueListSearch>
