/** Selector of the link of a list's row: a link that covers the row, or that is marked. */
export const rowLink = 'a:is(.row-link, [data-row-link])'
