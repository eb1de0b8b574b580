/** Sentry's cursor in a Link header without a previous page. Requested, it returns the first page. */
export const noPreviousCursor = '0:0:1'
export const noNextCursor = '0:0:0'
