import MarkdownIt, { type Token } from 'markdown-it'
import { toMarkdownTree } from '#server/console/markdown-tree.ts'
import type { CommentNode, CommentTag } from './triage-views.ts'

/**
 * Comments are Markdown without HTML and without images: HTML is shown as text, and an image would reveal to
 * its server who reads the issue. Links lead to web pages and mail addresses only.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')
markdown.validateLink = (url) => isSafeLink(url)

function isSafeLink(url: string): boolean {
  const protocol = URL.parse(url, 'https://relative.invalid/')?.protocol
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:'
}

const tags: Record<string, CommentTag> = {
  p: 'p',
  strong: 'strong',
  em: 'em',
  s: 's',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  hr: 'hr',
  br: 'br',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  // Headings of the page are not a comment's to make.
  h1: 'strong',
  h2: 'strong',
  h3: 'strong',
  h4: 'strong',
  h5: 'strong',
  h6: 'strong',
}

/** A comment as a tree of the few elements it may have: no HTML is ever made, so none can get in. */
export function renderComment(text: string): CommentNode[] {
  return toNodes(markdown.parse(text, {}))
}

function toNodes(tokens: readonly Token[]): CommentNode[] {
  return toMarkdownTree(tokens, (token) => {
    const node = toNode(token)
    return node.kind === 'text' ? { node } : { node, children: node.children }
  })
}

function toNode(token: Token): CommentNode {
  switch (token.type) {
    case 'code_inline':
      return { kind: 'element', tag: 'code', children: [{ kind: 'text', text: token.content }] }
    case 'fence':
    case 'code_block':
      return { kind: 'element', tag: 'pre', children: [{ kind: 'text', text: token.content }] }
    case 'softbreak':
    case 'hardbreak':
      return { kind: 'element', tag: 'br', children: [] }
    case 'link_open': {
      const href = token.attrGet('href') ?? ''
      return isSafeLink(href)
        ? { kind: 'link', href, children: [] }
        : { kind: 'element', tag: 'span', children: [] }
    }
    default: {
      const tag = tags[token.tag]
      return tag === undefined
        ? { kind: 'text', text: token.content }
        : { kind: 'element', tag, children: [] }
    }
  }
}
