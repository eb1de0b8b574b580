import { findShortId, type DirectTarget } from './direct-target.ts'

/** A short id within a text. */
type FoundShortId = Extract<DirectTarget, { kind: 'shortId' }> & { written: string; index: number }

/** `SHOP-1A`, not within a longer word, a path or an address. */
const upperShortId = /(?<![\p{L}\p{N}_@/.-])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![\p{L}\p{N}_@/-])/gu

/**
 * Finds short ids in upper case, as the console writes them. Their issues may not exist: words such as
 * `HTTP-404` have the same form.
 */
export function findShortIds(text: string): FoundShortId[] {
  return [...text.matchAll(upperShortId)].flatMap(({ 0: written, index }) => {
    const found = findShortId(written)
    return found === undefined ? [] : [{ ...found, written, index }]
  })
}
