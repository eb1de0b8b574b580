import MarkdownIt, { type Token } from 'markdown-it'
import { findShortIds } from '#search/short-ids.ts'
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

/** What the text of a comment refers to. */
interface CommentReferences {
  /** The texts after `@`. */
  mentions?: readonly string[]
  /**
   * The highest number of an issue in each project that the reader has access to, by its slug: issues are
   * linked by their short ids.
   */
  lastIssueNumbers?: ReadonlyMap<string, number>
}

/** A comment as a tree of a few allowed elements: no HTML is created, so none can be injected. */
export function renderComment(
  text: string,
  { mentions = [], lastIssueNumbers = new Map() }: CommentReferences = {},
): CommentNode[] {
  return replaceTexts(toNodes(markdown.parse(text, {})), (each) =>
    splitMentions(each, mentions).flatMap((node) =>
      node.kind === 'text' ? linkShortIds(node.text, lastIssueNumbers) : [node],
    ),
  )
}

/** Skips code and links. */
function replaceTexts(
  nodes: readonly CommentNode[],
  replace: (text: string) => CommentNode[],
): CommentNode[] {
  return nodes.flatMap((node): CommentNode[] => {
    if (node.kind === 'text') return replace(node.text)
    if (node.kind !== 'element' || node.tag === 'code' || node.tag === 'pre') return [node]
    return [{ ...node, children: replaceTexts(node.children, replace) }]
  })
}

/** Links short ids with a number that their project has reached. */
function linkShortIds(text: string, lastIssueNumbers: ReadonlyMap<string, number>): CommentNode[] {
  const nodes: CommentNode[] = []
  let from = 0
  for (const { written, index, slug, number } of findShortIds(text)) {
    if (number < 1 || number > (lastIssueNumbers.get(slug) ?? 0)) continue
    if (index > from) nodes.push({ kind: 'text', text: text.slice(from, index) })
    nodes.push({ kind: 'link', href: `/issues/${written}`, children: [{ kind: 'text', text: written }] })
    from = index + written.length
  }
  if (from < text.length) nodes.push({ kind: 'text', text: text.slice(from) })
  return nodes
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
