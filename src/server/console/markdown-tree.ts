import type { Token } from 'markdown-it'

/** The node of a Markdown token, and its children if it can have any. */
export interface ConvertedToken<Node> {
  node: Node
  children?: Node[]
}

/** The tokens of a Markdown text as a tree. A token whose node has no children does not nest. */
export function toMarkdownTree<Node>(
  tokens: readonly Token[],
  convert: (token: Token) => ConvertedToken<Node>,
): Node[] {
  const root: Node[] = []
  const open: Node[][] = [root]
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root
    if (token.nesting === -1) {
      if (open.length > 1) open.pop()
      continue
    }
    if (token.type === 'inline') {
      siblings.push(...toMarkdownTree(token.children ?? [], convert))
      continue
    }
    const { node, children } = convert(token)
    siblings.push(node)
    if (token.nesting === 1) open.push(children ?? siblings)
  }
  return root
}
