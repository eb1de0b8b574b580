/** Full-width forms of ASCII, and the digits of Arabic, Persian and Devanagari. */
const foldable = /[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/
const eachFoldable = new RegExp(foldable.source, 'g')

/**
 * A text with full-width characters and non-Latin digits converted to ASCII, at the same positions: a match
 * in it has the same position in the text itself. Nearly always the text itself, which one scan detects.
 */
export function foldText(text: string): string {
  return foldable.test(text) ? text.replaceAll(eachFoldable, foldCharacter) : text
}

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return String.fromCharCode(code >= 0xff01 ? code - 0xfee0 : 0x30 + digitOf(code))
}

/** Arabic digits begin at U+0660 and U+06F0, Devanagari digits at U+0966. */
function digitOf(code: number): number {
  return code >= 0x0966 ? code - 0x0966 : code & 0xf
}
