import { limits } from '#server/limits.ts'

/** A source line and its context lines. */
export interface SourceLines {
  contextLine: string
  preContext: string[]
  postContext: string[]
}

/** A 1-based line with `limits.mappedContextLines` before and after it. Undefined without such a line. */
export function findSourceLines(content: string, line: number): SourceLines | undefined {
  const first = Math.max(1, line - limits.mappedContextLines)
  let start = 0
  for (let number = 1; number < first; number += 1) {
    start = content.indexOf('\n', start) + 1
    if (start === 0) return undefined
  }
  const lines: string[] = []
  while (start <= content.length && lines.length <= line - first + limits.mappedContextLines) {
    const newline = content.indexOf('\n', start)
    const end = newline === -1 ? content.length : newline
    const text = content.slice(start, Math.min(end, start + limits.contextLineCharacters))
    lines.push(text.endsWith('\r') ? text.slice(0, -1) : text)
    start = end + 1
  }
  const contextLine = lines[line - first]
  if (contextLine === undefined) return undefined
  return {
    contextLine,
    preContext: lines.slice(0, line - first),
    postContext: lines.slice(line - first + 1),
  }
}

/**
 * The function called at a 1-based column: `totalOf` in `const total = totalOf(items)`, `send` in `await
 * api.send(order)`. Undefined if there is none.
 */
export function findCalleeName(contextLine: string, column: number): string | undefined {
  const call = contextLine.slice(column - 1, column - 1 + calleeCharacters)
  const [, path] =
    /^(?:(?:await|new|yield)\s+)*((?:[\w$]+(?:\?|!)?\.)*[\w$]+)!?(?:\?\.)?(?:<[\w\s,.[\]|]*>)?\(/.exec(
      call,
    ) ?? []
  const name = path?.slice(path.lastIndexOf('.') + 1)
  return name === undefined || /^\d/.test(name) || nonCallees.has(name) ? undefined : name
}

const calleeCharacters = 200
/** Keywords before a parenthesis that are not function names. */
const nonCallees = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'function',
  'return',
  'super',
  'import',
  'typeof',
])
