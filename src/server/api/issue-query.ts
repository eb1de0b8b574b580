import { limits } from '#server/limits.ts'
import type { Tag } from '#server/store/issue-tag-filter.ts'
import type { IssueStatus } from '#server/store/views.ts'

/** What a query asks for, or what is wrong with it. */
export type IssueQueryText =
  | { ok: true; status: IssueStatus | 'all'; environment?: string; tags: Tag[] }
  | { ok: false; problem: string }

const statuses: Record<string, IssueStatus> = {
  unresolved: 'unresolved',
  resolved: 'resolved',
  ignored: 'archived',
  archived: 'archived',
}

/** Reads `is:unresolved environment:production browser.name:"Mobile Safari"`. Without `is:` it means issues of every status. */
export function parseIssueQuery(text: string): IssueQueryText {
  let status: IssueStatus | 'all' = 'all'
  let environment: string | undefined
  const tags: Tag[] = []
  for (const [whole, key = '', quoted, plain = ''] of text.matchAll(/([\w.!-]+):(?:"([^"]*)"|(\S+))|\S+/g)) {
    const value = quoted ?? plain
    if (key === '') return { ok: false, problem: `${whole}: only key:value is understood.` }
    if (key === 'is') {
      const known = statuses[value]
      if (known === undefined) return { ok: false, problem: `is:${value} is no status.` }
      status = known
    } else if (key === 'environment') environment = value
    else tags.push([key.slice(0, limits.tagKeyCharacters), value.slice(0, limits.tagValueCharacters)])
  }
  return { ok: true, status, tags, ...(environment !== undefined && { environment }) }
}
