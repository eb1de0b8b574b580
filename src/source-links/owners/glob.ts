/**
 * True if a glob matches the whole text: `*` matches any characters, `?` one. Backtracks to the last star
 * only, so the time is bounded by the product of the two lengths.
 */
export function matchesGlob(glob: string, text: string): boolean {
  return matchesSequence(glob.split(''), text.split(''), {
    isStar: (part) => part === '*',
    isMatch: (part, character) => part === '?' || part === character,
  })
}

/** The same for the parts of a path: `**` matches any number of them, `*` and `?` match within one. */
export function matchesPath(glob: readonly string[], path: readonly string[]): boolean {
  return matchesSequence(glob, path, { isStar: (part) => part === '**', isMatch: matchesGlob })
}

interface Comparison {
  isStar: (part: string) => boolean
  isMatch: (part: string, item: string) => boolean
}

function matchesSequence(
  glob: readonly string[],
  items: readonly string[],
  { isStar, isMatch }: Comparison,
): boolean {
  let at = 0
  let star: { at: number; index: number } | undefined
  for (let index = 0; index < items.length;) {
    const [part, item = ''] = [glob[at], items[index]]
    if (part !== undefined && isStar(part)) {
      star = { at, index }
      at += 1
    } else if (part !== undefined && isMatch(part, item)) {
      at += 1
      index += 1
    } else if (star === undefined) {
      return false
    } else {
      star = { at: star.at, index: star.index + 1 }
      at = star.at + 1
      index = star.index
    }
  }
  return glob.slice(at).every(isStar)
}
