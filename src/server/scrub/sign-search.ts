/**
 * Finds `=` and `:`, also percent-encoded as in a URL within a URL, with the engine's native search for each
 * character.
 */
export class SignSearch {
  private readonly text: string
  private equals = -1
  private colon = -1
  private encoded = -1

  constructor(text: string) {
    this.text = text
  }

  /** The position of the next sign; the text's length if there is none. Call with ascending positions. */
  next(from: number): number {
    if (this.equals < from) this.equals = indexOrEnd(this.text, '=', from)
    if (this.colon < from) this.colon = indexOrEnd(this.text, ':', from)
    if (this.encoded < from) this.encoded = encodedSignFrom(this.text, from)
    return Math.min(this.equals, this.colon, this.encoded)
  }
}

const percent = 0x25

/** The sign at `at`: one character, or three if it is encoded. */
export function signAt(text: string, at: number): string {
  return text.charCodeAt(at) === percent ? text.slice(at, at + 3) : text.charAt(at)
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index === -1 ? text.length : index
}

function encodedSignFrom(text: string, from: number): number {
  let at = text.indexOf('%3', from)
  while (at !== -1 && !/[DA]/i.test(text.charAt(at + 2))) at = text.indexOf('%3', at + 1)
  return at === -1 ? text.length : at
}
