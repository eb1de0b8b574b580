import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'

/** The folder of the project. */
export const root = join(import.meta.dirname, '../../..')

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** Document, heading and, from the second block of a heading on, its number: `docs/limits.md, Keys, 2`. */
  name: string
  language: string
  /** Without the final line break. */
  code: string
}

/** The documents that users copy from: the README, CONTRIBUTING and the guides, without the decisions. */
export function listDocuments(): string[] {
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'CONTRIBUTING.md', ...guides.map((name) => `docs/${name}`)]
}

/** Reads the fenced blocks of a document, in order. */
export function readBlocks(document: string): CodeBlock[] {
  const tokens = new MarkdownIt().parse(readFileSync(join(root, document), 'utf8'), {})
  const blocks: CodeBlock[] = []
  const counts = new Map<string, number>()
  let heading = ''
  for (const [index, { type, content, info }] of tokens.entries()) {
    if (type === 'heading_open') heading = tokens[index + 1]?.content ?? ''
    if (type !== 'fence') continue
    const place = `${document}, ${heading}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    blocks.push({
      name: count === 1 ? place : `${place}, ${count}`,
      language: info.trim(),
      code: content.replace(/\n$/, ''),
    })
  }
  return blocks
}

/** A command in the running text of a document. */
export interface MentionedCommand {
  document: string
  code: string
}

/** Reads the commands of npm and of Culvert in a document's text, as inline code. */
export function listCommands(document: string): MentionedCommand[] {
  const tokens = new MarkdownIt().parse(readFileSync(join(root, document), 'utf8'), {})
  return tokens
    .flatMap(({ children }) => children ?? [])
    .filter(({ type, content }) => type === 'code_inline' && /^(?:npm|npx|culvert) /.test(content))
    .map(({ content }) => ({ document, code: content }))
}
