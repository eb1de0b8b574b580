import { createElement, type ReactNode } from 'react'
import { Link } from '#components/ui/link.tsx'
import type { GuideNode } from '#server/console/guides/views.ts'

/** The text of a guide: elements by name and text, never HTML. */
export function GuideText({ nodes }: { nodes: readonly GuideNode[] }) {
  return <div className="guide-text">{nodes.map(renderNode)}</div>
}

function renderNode(node: GuideNode, index: number): ReactNode {
  if (node.kind === 'text') return node.text
  const children = node.children.map(renderNode)
  if (node.kind === 'element') return renderElement(node, index, children)
  return node.kind === 'link' ? (
    <a key={index} href={node.href}>
      {children}
    </a>
  ) : (
    <Link key={index} to="/docs/$guide" params={{ guide: node.name }} hash={node.hash}>
      {children}
    </Link>
  )
}

function renderElement(
  node: Extract<GuideNode, { kind: 'element' }>,
  key: number,
  children: readonly ReactNode[],
): ReactNode {
  const content = children.length === 0 ? undefined : children
  // A wide table or line scrolls instead of the page. It is focusable, so that keys can scroll it.
  if (node.tag === 'pre') return createElement('pre', { key, tabIndex: 0 }, content)
  // A table with two columns often has only one header.
  const tag = node.tag === 'th' && content === undefined ? 'td' : node.tag
  const element = createElement(tag, { key, id: node.id }, content)
  return tag === 'table'
    ? createElement('div', { key, className: 'guide-table', tabIndex: 0 }, element)
    : element
}
