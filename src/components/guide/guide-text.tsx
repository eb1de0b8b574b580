import { Link } from '@tanstack/react-router'
import { createElement } from 'react'
import type { ReactNode } from 'react'
import type { GuideNode } from '#server/console/guides/views.ts'

/** The text of a guide: elements by name and text, never HTML. */
export function GuideText({ nodes }: { nodes: readonly GuideNode[] }) {
  return <div className="guide-text">{nodes.map(renderNode)}</div>
}

function renderNode(node: GuideNode, index: number): ReactNode {
  if (node.kind === 'text') return node.text
  const children = node.children.map(renderNode)
  switch (node.kind) {
    case 'link':
      return (
        <a key={index} href={node.href}>
          {children}
        </a>
      )
    case 'guide':
      return (
        <Link key={index} to="/docs/$guide" params={{ guide: node.name }} hash={node.hash}>
          {children}
        </Link>
      )
    case 'element': {
      const content = node.children.length === 0 ? undefined : children
      // A table of two columns often names only one of them.
      const tag = node.tag === 'th' && content === undefined ? 'td' : node.tag
      const element = createElement(tag, { key: index, id: node.id }, content)
      // A wide table or line scrolls by itself; the page does not.
      if (node.tag === 'pre') return createElement('pre', { key: index, tabIndex: 0 }, content)
      if (node.tag !== 'table') return element
      return (
        <div key={index} className="guide-table" tabIndex={0}>
          {element}
        </div>
      )
    }
  }
}
