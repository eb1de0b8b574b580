/** Characters of a label. A longer text does not serve as a name. */
const labelCharacters = 160

/** An issue in one line, for links to it: `TypeError: x is not a function`. */
export function issueLabel({ title, subtitle }: { title: string; subtitle: string }): string {
  const label = subtitle === '' ? title : `${title}: ${subtitle}`
  if (label.length <= labelCharacters) return label
  // Never through a surrogate pair.
  return `${label.slice(0, labelCharacters).replace(/[\ud800-\udbff]$/, '')}…`
}
