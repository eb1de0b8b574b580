/** What a page of a project says once something was done. */
export const doneTexts = {
  saved: 'Saved. What arrives from now on follows it.',
  'key-added': 'The key works now. Its DSN stands below.',
  'key-enabled': 'The key works again.',
  'key-disabled': 'The key is disabled: what is sent with it is refused.',
  'key-rotated':
    'A new key with the same limits works now. Disable the old one when nothing sends with it any more.',
  'upstream-added': 'What arrives from now on is sent on to it.',
  'upstream-removed': 'The upstream is removed, with all that waited for it.',
  'member-added': 'They reach the project now.',
  'member-removed': 'They reach the project no longer.',
  'project-disabled': 'The project is disabled: what is sent to it is refused.',
  'project-enabled': 'The project takes events again.',
  'source-maps-deleted': 'The upload is gone. What was shown by it stands as it was sent.',
  created: 'The project is there. Point an SDK at it.',
  'test-dropped':
    'The test event was taken in, but not kept whole: a filter or the spike guard only counted it. Outcomes says which.',
  'test-sent': 'The test event was taken in, stored and grouped.',
} as const

/** What was just done. */
export type ProjectDone = keyof typeof doneTexts
