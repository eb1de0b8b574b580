/** A token of a model has three ASCII characters or more, or about one other character. */
const otherWeight = 3

/** The length of a text in ASCII characters that have as many tokens. */
export function textWeight(text: string): number {
  return text.length + (otherWeight - 1) * (text.match(/[^\0-\x7F]/g)?.length ?? 0)
}

/** The beginning of a text that weighs at most this much. */
export function cutToWeight(text: string, most: number): string {
  let weight = 0
  for (let index = 0; index < text.length; index += 1) {
    weight += text.charCodeAt(index) > 0x7f ? otherWeight : 1
    if (weight > most) return text.slice(0, index).toWellFormed()
  }
  return text
}
