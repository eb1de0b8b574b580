/** A model's token has at least three ASCII characters, or about one other character. */
const otherWeight = 3

/** The weight of a text: the length of an ASCII text with as many tokens. */
export function textWeight(text: string): number {
  return text.length + (otherWeight - 1) * (text.match(/[^\0-\x7F]/g)?.length ?? 0)
}

/** The beginning of a text with at most this weight. */
export function cutToWeight(text: string, most: number): string {
  let weight = 0
  for (let index = 0; index < text.length; index += 1) {
    weight += text.charCodeAt(index) > 0x7f ? otherWeight : 1
    if (weight > most) return text.slice(0, index).toWellFormed()
  }
  return text
}
