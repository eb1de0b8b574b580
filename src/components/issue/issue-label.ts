/** Maximum length of a label. A longer text is not usable as an accessible name. */
const labelCharacters = 160

/** The label of links to an issue: `TypeError: x is not a function`. */
export function issueLabel({ title, subtitle }: { title: string; subtitle: string }): string {
  const label = subtitle === '' ? title : `${title}: ${subtitle}`
  if (label.length <= labelCharacters) return label
  // Does not split a surrogate pair.
  return `${label.slice(0, labelCharacters).replace(/[\ud800-\udbff]$/, '')}…`
}
