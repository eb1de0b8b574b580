import { isOwnChange } from '#queries/changes/order.ts'

/** The subjects of an action on issues. */
export function issueSubjects(issueIds: readonly string[]): string[] {
  return issueIds.map(toSubject)
}

/** True for an issue that was changed in this tab. */
export function isOwnIssue(issueId: string): boolean {
  return isOwnChange(toSubject(issueId))
}

function toSubject(issueId: string): string {
  return `issue ${issueId}`
}
