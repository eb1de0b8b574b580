import { isOwnChange } from '#queries/changes/order.ts'

/** What a mutation of issues is about. */
export function issueSubjects({ issueIds }: { issueIds: readonly string[] }): string[] {
  return issueIds.map(toSubject)
}

/** True for an issue that was changed in this tab. */
export function isOwnIssue(issueId: string): boolean {
  return isOwnChange(toSubject(issueId))
}

function toSubject(issueId: string): string {
  return `issue ${issueId}`
}
