/** What Sentry's Link header has where a list does not go on: asked for, it is the first page. */
export const noPreviousCursor = '0:0:1'
export const noNextCursor = '0:0:0'
