import MarkdownIt, { type Token } from 'markdown-it'
import { toMarkdownTree, type ConvertedToken } from '#server/console/markdown-tree.ts'
import type { GuideNode } from './views.ts'

const markdown = new MarkdownIt({ html: false })

/** A guide, converted from its Markdown. */
export interface RenderedGuide {
  title: string
  nodes: GuideNode[]
  sections: { id: string; title: string }[]
}

/**
 * Converts a guide. Links between guides become links between pages; a link to a file that the console does
 * not serve, such as a decision, becomes plain text.
 */
export function renderGuide(text: string): RenderedGuide {
  const tokens = markdown.parse(text, {})
  const ids = headingIds(tokens)
  const nodes = toMarkdownTree(tokens, (token) => toNode(token, ids))
  for (const node of nodes) nameLinks(node)
  const [first] = ids.values()
  return { title: first?.title ?? '', nodes, sections: sectionsOf(ids) }
}

interface Heading {
  id: string
  title: string
}

/** The second-level headings of a guide, for links to them. */
export function listSections(text: string): Heading[] {
  return sectionsOf(headingIds(markdown.parse(text, {})))
}

function sectionsOf(ids: ReadonlyMap<Token, Heading>): Heading[] {
  return [...ids].flatMap(([token, heading]) => (token.tag === 'h2' ? [heading] : []))
}

/** The headings with the same ids as on GitHub, so that links work in both. */
function headingIds(tokens: readonly Token[]): Map<Token, Heading> {
  const headings = new Map<Token, Heading>()
  const used = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const inline = tokens[index + 1]
    const title = (inline?.children ?? []).map(({ content }) => content).join('')
    const base = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/gu, '-')
    const count = used.get(base) ?? 0
    used.set(base, count + 1)
    headings.set(token, { id: count === 0 ? base : `${base}-${count}`, title })
  }
  return headings
}

function toNode(token: Token, ids: ReadonlyMap<Token, Heading>): ConvertedToken<GuideNode> {
  switch (token.type) {
    case 'code_inline':
      return textIn('code', token.content)
    case 'fence':
    case 'code_block':
      return textIn('pre', token.content)
    case 'softbreak':
      return { node: { kind: 'text', text: ' ' } }
    case 'image':
      return { node: { kind: 'text', text: '' } }
    case 'link_open':
      return toLink(token.attrGet('href') ?? '')
    default: {
      if (token.tag === '') return { node: { kind: 'text', text: token.content } }
      const children: GuideNode[] = []
      return { node: { kind: 'element', tag: token.tag, id: ids.get(token)?.id, children }, children }
    }
  }
}

/** If the text of a link is a file name, replaces it by the title of the guide. */
function nameLinks(node: GuideNode): void {
  if (node.kind === 'text') return
  const [first] = node.children
  if (node.kind === 'guide' && first?.kind === 'text' && first.text.endsWith('.md')) first.text = node.name
  for (const child of node.children) nameLinks(child)
}

function textIn(tag: string, text: string): ConvertedToken<GuideNode> {
  return { node: { kind: 'element', tag, children: [{ kind: 'text', text }] } }
}

function toLink(href: string): ConvertedToken<GuideNode> {
  const children: GuideNode[] = []
  const [, name, hash] = /^([a-z0-9-]+)\.md(?:#(.+))?$/.exec(href) ?? []
  if (name !== undefined) return { node: { kind: 'guide', name, hash, children }, children }
  if (/^(?:https?:\/\/|#)/.test(href)) return { node: { kind: 'link', href, children }, children }
  return { node: { kind: 'element', tag: 'span', children }, children }
}
