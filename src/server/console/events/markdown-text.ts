/**
 * A block of code in Markdown that holds exactly this text: its fence is longer than any run of backticks in
 * it, so that nothing in the text can end it. `language` is a constant, never text of an event.
 */
export function fencedBlock(text: string, language = ''): string {
  const lines = visibleText(text).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

/** A text as code within a line of Markdown; line breaks become spaces, since a blank line would end it. */
export function inlineCode(text: string): string {
  const line = visibleText(text)
    .replaceAll(/[\0\s]+/g, ' ')
    .trim()
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  // A backtick at either end needs the space that Markdown removes.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/**
 * A text without the characters that nothing shows: zero-width ones, bidi controls, variation selectors and
 * Unicode's tag characters, in which instructions for a model are hidden.
 */
function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
