import type { IssueChoices, IssueTriage, ActivityEntry } from '#server/store/triage/records.ts'

/** The choices for a viewer with the permission. */
export interface IssueChoicesView extends IssueChoices {
  /** The viewer's own user id. */
  viewerId: string
  /** The viewer may delete issues. */
  canDelete: boolean
}

/** The triage data for the viewer of the page. */
export interface IssueTriageView extends Omit<IssueTriage, 'activity'>, IssueChoicesView {
  activity: (ActivityEntry & {
    comment?: CommentView
    /** The URL of the resolving commit in the code host. */
    commitUrl?: string
  })[]
}

/** A comment as it is displayed. */
export interface CommentView {
  nodes: CommentNode[]
  /** True if the viewer wrote it. */
  isOwn: boolean
}

export type CommentTag =
  | 'p'
  | 'strong'
  | 'em'
  | 's'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'hr'
  | 'br'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'code'
  | 'pre'
  | 'span'

/** A piece of a comment. */
export type CommentNode =
  | { kind: 'text'; text: string }
  | { kind: 'element'; tag: CommentTag; children: CommentNode[] }
  /** A link to a web page or a mail address. */
  | { kind: 'link'; href: string; children: CommentNode[] }
