/**
 * The actions: forms that change something at once from any page. Each has the address that it is posted to,
 * and the sentence that says that nothing was changed.
 */
export const actions = {
  issueStatus: { url: '/actions/issue-status', notDone: 'The status was not changed.' },
  issueAssignee: { url: '/actions/issue-assignee', notDone: 'Couldn’t assign.' },
  issueMerge: { url: '/actions/issue-merge', notDone: 'Nothing was merged.' },
  issueUnmerge: { url: '/actions/issue-unmerge', notDone: 'Couldn’t unmerge.' },
  issueDeletion: { url: '/actions/issue-deletion', notDone: 'Nothing was deleted.' },
  issueComment: { url: '/actions/issue-comment', notDone: 'The comment was not saved.' },
  issueUndo: { url: '/actions/issue-undo', notDone: 'Couldn’t undo.' },
  savedSearch: { url: '/actions/saved-search', notDone: 'The search was not changed.' },
  upstream: { url: '/actions/upstream', notDone: 'Nothing was changed.' },
  deadLetter: { url: '/actions/dead-letter', notDone: 'The item was not run again.' },
} as const satisfies Record<string, { url: `/actions/${string}`; notDone: string }>
