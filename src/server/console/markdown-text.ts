/**
 * A block of code in Markdown that holds exactly this text: its fence is longer than any run of backticks in it, so that
 * nothing in the text can end it. `language` is ours, never a stranger's.
 */
export function fencedBlock(text: string, language = ''): string {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

/** A text as code within a line of Markdown; line breaks become spaces, since a blank line would end it. */
export function inlineCode(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\0\s]+/g, ' ')
    .trim()
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  // A backtick at either end needs the space that Markdown takes away again.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
