import type { SearchedField, SearchedText } from './term.ts'

/**
 * The type of a word's value.
 *
 * `choice` one of its values · `flag` true or false · `pattern` any value, `*` is a wildcard · `text` words ·
 * `number` `>100` · `time` `-24h` or a date · `person` me, none, a name or an email address · `id` a
 * complete id · `word` the name of another word or of a tag.
 */
export type ValueKind = 'choice' | 'flag' | 'pattern' | 'text' | 'number' | 'time' | 'person' | 'id' | 'word'

/** The data with which a word's value is compared. */
export type WordSource =
  | { from: 'is' | 'level' | 'priority' | 'category' | 'type' | 'assignee' | 'issue' | 'has' | 'happened' }
  | { from: 'project'; by: 'id' | 'slug' }
  | { from: 'event'; by: 'id' | 'trace' }
  | { from: 'count'; of: 'events' | 'users' }
  | { from: 'seen'; which: 'first' | 'last' }
  | { from: 'field'; field: SearchedField }
  | { from: 'text'; in: readonly SearchedText[] }
  /** Matches if the tag `handled` has the value. */
  | { from: 'handled'; value: 'yes' | 'no' }
  /** The tag of that key, by default the word itself; `version`: the text after its value's last space. */
  | { from: 'tag'; key?: string; holds?: 'version' }
  | { from: 'release'; part: 'version' | 'package' | 'build' }
  | { from: 'trait' }

/** A word of the search language. */
export interface SearchWord {
  word: string
  /** Aliases: Sentry's names, and shorter ones. */
  aliases?: readonly string[]
  /** A description: completes "Issues …". */
  description: string
  kind: ValueKind
  source: WordSource
  /** All values of a choice, or examples if the format is not obvious. */
  values?: readonly string[]
  /** An example value. */
  sample?: string
}
