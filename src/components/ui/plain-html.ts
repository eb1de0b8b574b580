import { createElement, Fragment, isValidElement, type ReactNode } from 'react'

/**
 * An element whose content is nothing but HTML: elements, and components without state. For the server
 * alone, where it writes exactly what React would, in half of the time; the browser hydrates the element and
 * its content as usual. For the large parts of a page, as the rows of a list.
 *
 * Throws for what only React can do: `Suspense`, providers, classes, `style`, and elements with rules of
 * their own, as those of forms.
 */
export function PlainHtml({ as, children }: { as: 'tbody' | 'ol'; children: ReactNode }): ReactNode {
  const page: Page = { html: '', endsWithText: false }
  addNode(page, children)
  // Every text and attribute in it is escaped below.
  return createElement(as, { dangerouslySetInnerHTML: { __html: page.html } })
}

interface Page {
  html: string
  /** React separates two texts by a comment, so that they become two nodes in the browser. */
  endsWithText: boolean
}

const voidTags = new Set(['br', 'col', 'hr', 'input', 'wbr'])

/** React gives these attributes or content of its own, or moves them. */
const unknownTags = new Set(
  'body button form head html iframe img link listing meta object option pre script select style template textarea'.split(
    ' ',
  ),
)

function addNode(page: Page, node: ReactNode): void {
  if (node === null || node === undefined || typeof node === 'boolean') return
  if (typeof node === 'string') addText(page, node)
  else if (typeof node === 'number' || typeof node === 'bigint') addText(page, String(node))
  else if (isList(node)) for (const child of node) addNode(page, child)
  else if (isValidElement<PlainProps>(node)) addElement(page, node.type, node.props)
  else throw new TypeError('Only elements and texts are plain HTML')
}

function addText(page: Page, text: string): void {
  if (text === '') return
  page.html += page.endsWithText ? `<!-- -->${escapeHtml(text)}` : escapeHtml(text)
  page.endsWithText = true
}

type PlainProps = Record<string, unknown> & { children?: ReactNode }

function addElement(page: Page, type: unknown, props: PlainProps): void {
  if (typeof type === 'string') addTag(page, type, props)
  else if (type === Fragment) addNode(page, props.children)
  else addNode(page, findComponent(type)(props))
}

type Component = (props: PlainProps) => ReactNode

function findComponent(type: unknown): Component {
  if (isComponent(type)) return type
  const inner = isMemo(type) ? type.type : undefined
  if (isComponent(inner)) return inner
  throw new TypeError('Only function components are plain HTML')
}

function isComponent(type: unknown): type is Component {
  if (typeof type !== 'function') return false
  const prototype: unknown = type.prototype
  return typeof prototype !== 'object' || prototype === null || !('isReactComponent' in prototype)
}

function isList(node: ReactNode): node is ReactNode[] {
  return Array.isArray(node)
}

function isMemo(type: unknown): type is { type: unknown } {
  return typeof type === 'object' && type !== null && Reflect.get(type, '$$typeof') === memoMark
}

const memoMark = Symbol.for('react.memo')

function addTag(page: Page, tag: string, props: PlainProps): void {
  if (unknownTags.has(tag) || tag.includes('-')) throw new TypeError(`<${tag}> is no plain HTML`)
  page.html += `<${tag}${tag === 'input' ? inputAttributes(props) : attributes(props)}`
  page.endsWithText = false
  if (voidTags.has(tag)) {
    page.html += '/>'
    return
  }
  page.html += '>'
  addNode(page, props.children)
  page.html += `</${tag}>`
  page.endsWithText = false
}

/** React writes the name and the value last. */
function inputAttributes({ name, value, checked, ...others }: PlainProps): string {
  return (
    attributes(others) + attribute('name', name) + attribute('checked', checked) + attribute('value', value)
  )
}

function attributes(props: PlainProps): string {
  let html = ''
  for (const name in props) if (name !== 'children') html += attribute(name, props[name])
  return html
}

/** How attributes are written whose property has another name. */
const attributeNames: Record<string, string> = {
  className: 'class',
  htmlFor: 'for',
  tabIndex: 'tabindex',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
}

/** Their presence is what they say. */
const booleanNames = new Set(['checked', 'disabled', 'hidden', 'open', 'readOnly', 'required', 'reversed'])

function attribute(property: string, value: unknown): string {
  if (typeof value === 'string') {
    if (property === 'href' && !isSafeAddress(value)) return ''
    return ` ${attributeNames[property] ?? property}="${escapeHtml(value)}"`
  }
  if (typeof value === 'number') return ` ${attributeNames[property] ?? property}="${value}"`
  if (typeof value === 'boolean') {
    if (property.startsWith('aria-') || property.startsWith('data-')) return ` ${property}="${value}"`
    return value && booleanNames.has(property) ? ` ${property}=""` : ''
  }
  if (value === null || value === undefined || typeof value === 'function' || property === 'ref') return ''
  throw new TypeError(`${property} is no plain attribute`)
}

/** The addresses of pages and of the web. */
function isSafeAddress(address: string): boolean {
  return /^(?:[/?#]|https?:|mailto:)/i.test(address)
}

const special = /["'&<>]/

function escapeHtml(text: string): string {
  return special.test(text) ? text.replaceAll(/["'&<>]/g, (character) => escapes[character] ?? '') : text
}

const escapes: Record<string, string> = {
  '"': '&quot;',
  "'": '&#x27;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}
