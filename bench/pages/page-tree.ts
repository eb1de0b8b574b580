import * as v from 'valibot'

/** An element of a page as plain data, or a text. */
export type PageNode = string | PageElement

/** An element with its attributes, as React accepts them, and its children. */
export interface PageElement {
  tag: string
  attributes: Record<string, string | true | Record<string, string>>
  children: PageNode[]
}

/** The schema of such an element in a file. */
export const pageElement: v.GenericSchema<unknown, PageElement> = v.object({
  tag: v.string(),
  attributes: v.record(v.string(), v.union([v.string(), v.literal(true), v.record(v.string(), v.string())])),
  children: v.array(v.union([v.string(), v.lazy(() => pageElement)])),
})

const voidTags = new Set(['br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }

/** Comments, tags and texts, in order. */
const token = /<!--[^]*?-->|<(\/?)([a-z][a-z0-9-]*)((?:\s[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/giu
const attribute = /\s([^\s=>/]+)(?:="([^"]*)")?/gu

/**
 * The visible content of a page that React rendered, as a tree: the body with `main`, without the head,
 * scripts, and the markers for hydration. React writes well-formed HTML, so a few patterns can parse it.
 */
export function readPageTree(html: string): PageElement {
  const body = html.slice(html.indexOf('<body'), html.lastIndexOf('</body>'))
  const root: PageElement = { tag: 'div', attributes: {}, children: [] }
  const open = [root]
  for (const [text, slash, tag, attributes = '', isClosed] of withoutScripts(body).matchAll(token)) {
    const parent = open.at(-1) ?? root
    if (tag === undefined) {
      if (!text.startsWith('<!--')) addText(parent, unescape(text))
    } else if (slash === '/') open.pop()
    else if (tag !== 'body') {
      const element = { tag, attributes: readAttributes(attributes), children: [] }
      parent.children.push(element)
      if (isClosed !== '/' && !voidTags.has(tag)) open.push(element)
    }
  }
  return root
}

function withoutScripts(html: string): string {
  return html.replaceAll(/<script[^>]*>[^]*?<\/script>/gu, '')
}

/** React separates two texts by a comment; here they are joined. */
function addText({ children }: PageElement, text: string): void {
  const last = children.at(-1)
  if (typeof last === 'string') children[children.length - 1] = last + text
  else children.push(text)
}

function readAttributes(text: string): PageElement['attributes'] {
  const attributes: PageElement['attributes'] = {}
  for (const [, name = '', value = ''] of text.matchAll(attribute)) {
    if (name === 'style') attributes[name] = readStyle(unescape(value))
    else attributes[name] = value === '' || unescape(value)
  }
  return attributes
}

function readStyle(text: string): Record<string, string> {
  const declarations = text.split(';').filter((each) => each.includes(':'))
  return Object.fromEntries(
    declarations.map((each) => {
      const colon = each.indexOf(':')
      return [each.slice(0, colon).trim(), each.slice(colon + 1).trim()]
    }),
  )
}

function unescape(text: string): string {
  return text.replaceAll(/&([a-z]+|#[0-9a-z]+);/giu, (whole, name: string) => entities[name] ?? whole)
}
