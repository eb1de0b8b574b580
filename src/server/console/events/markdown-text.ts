/**
 * A code block in Markdown with exactly this text: its fence is longer than any run of backticks in the text,
 * so that the text cannot end it. `language` is a constant, never text of an event.
 */
export function fencedBlock(text: string, language = ''): string {
  const lines = visibleText(text).replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

/** A text as inline code in Markdown; line breaks become spaces, because a blank line would end it. */
export function inlineCode(text: string): string {
  const line = visibleText(text)
    .replaceAll(/[\0\s]+/g, ' ')
    .trim()
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  // A backtick at either end needs a space, which Markdown removes.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/**
 * A text without invisible characters: zero-width ones, bidi controls, variation selectors and Unicode's tag
 * characters, which can hide instructions for a model.
 */
function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
