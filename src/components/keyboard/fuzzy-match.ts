/**
 * Scores how well a text matches a query: each word of the query must be in the text, or at least its letters
 * in order. Higher is better; undefined without a match. An empty query matches everything equally.
 */
export function fuzzyScore(query: string, text: string): number | undefined {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  let score = 0
  for (const word of words) {
    const wordScore = scoreOf(word, text.toLowerCase())
    if (wordScore === undefined) return undefined
    score += wordScore
  }
  return score
}

/** The highest score of several texts; 0 if none matches. */
export function bestScore(query: string, entries: readonly { text: string }[]): number {
  return Math.max(0, ...entries.map(({ text }) => fuzzyScore(query, text) ?? 0))
}

const scores = { start: 4, wordStart: 3, inside: 2, letters: 1 }

function scoreOf(word: string, text: string): number | undefined {
  const at = text.indexOf(word)
  if (at === 0) return scores.start
  if (text.includes(` ${word}`)) return scores.wordStart
  if (at !== -1) return scores.inside
  return hasLetters(word, text) ? scores.letters : undefined
}

/** `rsl` matches `resolve`: its letters appear in order, the first one at the beginning of a word. */
function hasLetters(word: string, text: string): boolean {
  const starts = text.matchAll(/(?<!\S)\S/g)
  return starts.some(({ index }) => {
    let at = index
    return (
      text[at] === word[0] &&
      word
        .slice(1)
        .split('')
        .every((letter) => {
          at = text.indexOf(letter, at + 1)
          return at !== -1
        })
    )
  })
}
