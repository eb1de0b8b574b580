/**
 * The features of a text that rules search for, as bits. Nearly all texts have no relevant feature, and
 * detecting that in one pass costs a small part of running each rule.
 */
export const textFeatures = {
  /** `=`, `:` or `%3`: a value may be assigned to a name. */
  assignment: 1,
  /** `@`: a URL with a password, an email address. */
  at: 2,
  /** At least nine digits, at any positions, and a dash: a social security number. */
  dashedDigits: 4,
  /** Eighteen consecutive letters, digits, `_` or `-`, with a digit or a known prefix of a token: a token. */
  longWord: 8,
  /** `/home/`, `/Users`, `\Users` or `\Profiles`. */
  home: 16,
  /** `-----`: a PEM block. */
  dashes: 32,
  /** A space, and the word of a scheme, bearer or basic. */
  scheme: 64,
  /** `</`: an element of XML. */
  element: 128,
  /** `--`: an option of a command. */
  option: 256,
  /** A quote of any kind. */
  quote: 512,
  /** A comma and a quote of any kind: a list of literals. */
  listOfQuotes: 1024,
  /** At least nine digits, and a capital: an account number. */
  capitalsAndDigits: 2048,
  /** At least fourteen digits: a card number. */
  manyDigits: 4096,
  /** A character beyond Latin. */
  wide: 8192,
  /** A dash after a blank or a quote: a short option of a command. */
  shortOption: 16_384,
} as const

/** The shortest text in which a rule can find a secret: `pwd=x`. */
const shortestText = 5

const longWordLength = 18
const accountDigits = 9
const cardDigits = 14

/** The class of a character. */
const is = {
  assignment: 1,
  at: 2,
  slash: 4,
  blank: 8,
  quote: 16,
  dash: 32,
  less: 64,
  letterB: 128,
  letterU: 256,
  comma: 512,
  capital: 1024,
  backslash: 2048,
} as const

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

// By the lower byte of a UTF-16 unit, so that every lookup is within bounds. A character beyond Latin may be
// mistaken for another one; its text is then searched unnecessarily, without other effects.
const kinds = createTable([
  ['=:%', is.assignment],
  ['@', is.at],
  ['/\\', is.slash],
  ['\\', is.backslash],
  [' \t', is.blank],
  ['"\'`', is.quote],
  [',', is.comma],
  ['-', is.dash],
  ['<', is.less],
  ['bB', is.letterB],
  ['hU', is.letterU],
  [capitals, is.capital],
])
const digits = createTable([['0123456789', 1]])
/** All bits for the characters of a word, none for those that end it. */
const words = createTable([[`abcdefghijklmnopqrstuvwxyz${capitals}0123456789_-`, -1]])

/** Creates a table of the bits of each character code. */
function createTable(rows: readonly (readonly [characters: string, bits: number])[]): Int32Array {
  const table = new Int32Array(256)
  for (const [characters, bits] of rows) {
    for (const character of characters) {
      const code = character.charCodeAt(0)
      table[code] = (table[code] ?? 0) | bits
    }
  }
  return table
}

/**
 * Scans a text once; 0 means that no default rule can match.
 *
 * The loop has only one branch that depends on the text, and it is rarely taken: in texts with a word every
 * five characters, mispredicted branches took two thirds of the time.
 */
export function findTextFeatures(text: string): number {
  const { length } = text
  if (length < shortestText) return 0
  let seen = 0
  let digitCount = 0
  let wordLength = 0
  let hasLongWord = false
  let anyCode = 0
  for (let index = 0; index < length; index += 1) {
    const unit = text.charCodeAt(index)
    const code = unit & 0xff
    anyCode |= unit
    seen |= kinds[code] ?? 0
    digitCount += digits[code] ?? 0
    wordLength = (wordLength + 1) & (words[code] ?? 0)
    if (wordLength === longWordLength) hasLongWord = true
  }
  const hasToken =
    hasLongWord && ((digitCount > 0 && longWordWithDigit.test(text)) || tokenWithoutDigit.test(text))
  return (
    featuresOf(text, seen) |
    (digitCount >= accountDigits ? numbersOf(seen, digitCount) : 0) |
    (hasToken ? textFeatures.longWord : 0) |
    (anyCode > 0xff ? textFeatures.wide : 0)
  )
}

function numbersOf(seen: number, digitCount: number): number {
  let found = 0
  if (digitCount >= cardDigits) found |= textFeatures.manyDigits
  if ((seen & is.dash) !== 0) found |= textFeatures.dashedDigits
  if ((seen & is.capital) !== 0) found |= textFeatures.capitalsAndDigits
  return found
}

/** A letter may precede or follow the digit. */
const longWordWithDigit = /(?<![\w-])(?=[A-Za-z_-]*\d)[\w-]{18}/

/** Short tokens, whose random part contains no digit in one of 6 (10 characters) to 120 (28). */
const tokenWithoutDigit =
  /(?<![A-Za-z\d])(?:A[BCKS][CI]A[A-Z]{16}|(?:sk|rk)_(?:live|test)_|gl(?:pat|dt|rt|ptt|ft|cbt|agent|sa)[-_]|(?:whsec|npm|hf|dckr_[op]at|gh[opsur]|sb_secret)_|GOCSPX-|AIza|NRAK-|SG\.|ATBB)/

const scheme = /bearer|basic/i

const windowsHome = /(?:[Uu]sers|[Pp]rofiles|Documents and Settings)[\\/]/

function hasShortOption(text: string): boolean {
  return text.includes(' -') || text.includes("'-") || text.includes('"-')
}

function featuresOf(text: string, seen: number): number {
  let found = 0
  if ((seen & is.assignment) !== 0) found |= textFeatures.assignment
  if ((seen & is.at) !== 0) found |= textFeatures.at
  if ((seen & is.quote) !== 0) {
    found |= textFeatures.quote
    if ((seen & is.comma) !== 0) found |= textFeatures.listOfQuotes
  }
  if ((seen & is.blank) !== 0 && (seen & is.letterB) !== 0 && scheme.test(text)) found |= textFeatures.scheme
  if ((seen & is.dash) !== 0 && text.includes('--')) {
    found |= textFeatures.option
    if (text.includes('-----')) found |= textFeatures.dashes
  }
  if ((seen & is.dash) !== 0 && hasShortOption(text)) found |= textFeatures.shortOption
  if ((seen & is.slash) !== 0) {
    if ((seen & is.letterU) !== 0 && (text.includes('/home/') || text.includes('Users')))
      found |= textFeatures.home
    if ((seen & is.backslash) !== 0 && windowsHome.test(text)) found |= textFeatures.home
    if ((seen & is.less) !== 0 && text.includes('</')) found |= textFeatures.element
  }
  return found
}
