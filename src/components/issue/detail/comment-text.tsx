import { createElement, type ReactNode } from 'react'
import type { CommentNode } from '#server/console/issues/triage-views.ts'

/** A comment as its author formatted it: elements by name and text, never HTML. */
export function CommentText({ nodes }: { nodes: readonly CommentNode[] }) {
  return <div className="comment-text">{nodes.map(renderNode)}</div>
}

function renderNode(node: CommentNode, index: number): ReactNode {
  if (node.kind === 'text') return node.text
  const children = node.children.map(renderNode)
  if (node.kind === 'element') {
    const content = node.children.length === 0 ? undefined : children
    return createElement(node.tag, { key: index }, content)
  }
  return (
    <a key={index} href={node.href} rel="nofollow noopener noreferrer ugc">
      {children}
    </a>
  )
}
