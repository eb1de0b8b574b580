/** An SQL text of a source file. */
export interface SqlText {
  /** Its first line in the file, from 1. */
  line: number
  /** Lines from its first backtick to its last, nested templates included. */
  lineCount: number
}

const sqlStart =
  /(?:\bsql(?:<[^`;]*?>)?|\b(?:prepare|exec)\(\s*)`|`(?=\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s)/g

/**
 * The SQL of a source file: templates with the tag `sql`, arguments of `prepare` or `exec`, and templates
 * that start like a statement.
 */
export function findSqlTexts(source: string): SqlText[] {
  return [...source.matchAll(sqlStart)].map((match) => {
    const start = match.index + match[0].length
    const text = source.slice(start, findEnd(source, start))
    return { line: source.slice(0, start).split('\n').length, lineCount: text.split('\n').length }
  })
}

/** The end of the template that starts after a backtick; its expressions can contain templates. */
function findEnd(source: string, start: number): number {
  const open = ['`']
  for (let at = start; at < source.length; at += 1) {
    const isText = open.at(-1) === '`'
    if (source[at] === '\\') at += 1
    else if (source[at] === '`' && isText) open.pop()
    else if (source[at] === '`') open.push('`')
    else if (isText && source.startsWith('${', at)) {
      open.push('{')
      at += 1
    } else if (!isText && source[at] === '{') open.push('{')
    else if (!isText && source[at] === '}') open.pop()
    if (open.length === 0) return at
  }
  return source.length
}
