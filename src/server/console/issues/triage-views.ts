import type { IssueChoices, IssueTriage, ActivityEntry } from '#server/store/triage/records.ts'

/** The same for a viewer with the permission. */
export interface IssueChoicesView extends IssueChoices {
  /** The viewer's own user id. */
  viewerId: string
  /** The viewer may delete issues. */
  mayDelete: boolean
}

/** The same for the viewer of the page. */
export interface IssueTriageView extends Omit<IssueTriage, 'activity'>, IssueChoicesView {
  activity: (ActivityEntry & {
    comment?: CommentView
    /** In the code host, of the commit that resolved the issue. */
    commitUrl?: string
  })[]
}

/** A comment, ready to be shown. */
export interface CommentView {
  nodes: CommentNode[]
  /** The viewer wrote it. */
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
  /** To a web page or a mail address, and nowhere else. */
  | { kind: 'link'; href: string; children: CommentNode[] }
