import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { LimitRow } from '#server/console/project-settings/views.ts'

/** The labels of the categories that are offered for a limit. */
const categoryNames: Readonly<Record<string, string>> = {
  all: 'All categories',
  error: 'Errors',
  transaction: 'Transactions',
  session: 'Sessions',
  attachment: 'Attachments, in bytes',
  feedback: 'Feedback',
  security: 'Security reports',
  span: 'Spans',
  log_item: 'Logs',
  profile: 'Profiles',
  replay: 'Replays',
  monitor: 'Check-ins',
}

/** The label of a category. */
function categoryText(category: string): string {
  return categoryNames[category] ?? category
}

/** The choices of categories, including one that was set on the command line. */
export function categoryChoices(current: string) {
  const names = [...new Set([...Object.keys(categoryNames), current])]
  return names.map((value) => ({ value, label: categoryText(value) }))
}

const windowUnits = [
  { seconds: 86_400, noun: 'day' },
  { seconds: 3_600, noun: 'hour' },
  { seconds: 60, noun: 'minute' },
  { seconds: 1, noun: 'second' },
]

/** A time in its largest whole unit: `1 hour`, `10 minutes`. */
export function windowText(seconds: number): string {
  const unit = windowUnits.find((each) => seconds % each.seconds === 0)
  return unit === undefined ? `${seconds} seconds` : countedNoun(seconds / unit.seconds, unit.noun)
}

/** The choices of times, including one that was set on the command line. */
export function windowChoices(offered: readonly number[], current: number) {
  const all = [...new Set([...offered, current])].toSorted((one, other) => one - other)
  return all.map((seconds) => ({ value: String(seconds), label: windowText(seconds) }))
}

const multiples = [
  { size: 1e9, letter: 'G' },
  { size: 1e6, letter: 'M' },
]

/** The number of a limit, as entered: `1,000`; a large number of bytes as `50M`. */
export function quantityText({ category, quantity }: LimitRow): string {
  const multiple = multiples.find(({ size }) => quantity >= size && quantity % size === 0)
  return category === 'attachment' && multiple !== undefined
    ? `${quantity / multiple.size}${multiple.letter}`
    : exactCount(quantity)
}

/** A limit in words: `Errors: 100 per minute`. */
export function limitText(row: LimitRow): string {
  const window = windowText(row.windowSeconds).replace(/^1 /, '')
  return `${categoryText(row.category)}: ${quantityText(row)} per ${window}`
}
