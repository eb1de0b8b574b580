/**
 * The actions: forms on any page that make a change immediately. Each has the path that it is posted to, and
 * the text for a failure.
 */
export const actions = {
  issueStatus: { url: '/actions/issue-status', notDone: 'Couldn’t change the status.' },
  issueAssignee: { url: '/actions/issue-assignee', notDone: 'Couldn’t assign.' },
  issueMerge: { url: '/actions/issue-merge', notDone: 'Couldn’t merge.' },
  issueUnmerge: { url: '/actions/issue-unmerge', notDone: 'Couldn’t unmerge.' },
  issueDeletion: { url: '/actions/issue-deletion', notDone: 'Couldn’t delete.' },
  issueComment: { url: '/actions/issue-comment', notDone: 'Couldn’t save the comment.' },
  issueLink: { url: '/actions/issue-link', notDone: 'Couldn’t change the links.' },
  issueUndo: { url: '/actions/issue-undo', notDone: 'Couldn’t undo.' },
  savedSearch: { url: '/actions/saved-search', notDone: 'Couldn’t save the search.' },
  upstream: { url: '/actions/upstream', notDone: 'No changes saved.' },
  inbox: { url: '/actions/inbox', notDone: 'Couldn’t mark it.' },
  deadLetter: { url: '/actions/dead-letter', notDone: 'No changes made.' },
} as const satisfies Record<string, { url: `/actions/${string}`; notDone: string }>
