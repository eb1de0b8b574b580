import MarkdownIt, { type Token } from 'markdown-it'
import { toMarkdownTree } from '#server/console/markdown-tree.ts'
import { isMentionEnd } from '#server/store/triage/mentions.ts'
import type { CommentNode, CommentTag } from './triage-views.ts'

/**
 * Comments are Markdown without HTML and without images: HTML is shown as text, and loading an image would
 * reveal to its server who reads the issue. Links lead to web pages and mail addresses only.
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
  // Headings are reserved for the page.
  h1: 'strong',
  h2: 'strong',
  h3: 'strong',
  h4: 'strong',
  h5: 'strong',
  h6: 'strong',
}

/**
 * A comment as a tree of a few allowed elements: no HTML is created, so none can be injected. `mentions`: the
 * texts after `@`.
 */
export function renderComment(text: string, mentions: readonly string[] = []): CommentNode[] {
  return markMentions(toNodes(markdown.parse(text, {})), mentions)
}

/** Skips code and links. */
function markMentions(nodes: readonly CommentNode[], mentions: readonly string[]): CommentNode[] {
  if (mentions.length === 0) return [...nodes]
  return nodes.flatMap((node): CommentNode[] => {
    if (node.kind === 'text') return splitMentions(node.text, mentions)
    if (node.kind !== 'element' || node.tag === 'code' || node.tag === 'pre') return [node]
    return [{ ...node, children: markMentions(node.children, mentions) }]
  })
}

/** The longest name first, because it may begin with another one. */
function splitMentions(text: string, mentions: readonly string[]): CommentNode[] {
  const marks = mentions.map((name) => `@${name}`).toSorted((one, other) => other.length - one.length)
  const nodes: CommentNode[] = []
  let from = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const mark = marks.find((each) => text.startsWith(each, at) && isMentionEnd(text, at + each.length))
    if (mark === undefined || at < from) continue
    if (at > from) nodes.push({ kind: 'text', text: text.slice(from, at) })
    nodes.push({ kind: 'element', tag: 'strong', children: [{ kind: 'text', text: mark }] })
    from = at + mark.length
  }
  if (from < text.length) nodes.push({ kind: 'text', text: text.slice(from) })
  return nodes
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
