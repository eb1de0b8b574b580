import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderComment } from './comment-markdown.ts'
import type { CommentNode } from './triage-views.ts'

/** A tree as one line: `p(strong(so) text)`. */
function outline(nodes: readonly CommentNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      const name = node.kind === 'link' ? `a[${node.href}]` : node.tag
      return `${name}(${outline(node.children)})`
    })
    .join('')
}

function linksOf(nodes: readonly CommentNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'text') return []
    return [...(node.kind === 'link' ? [node.href] : []), ...linksOf(node.children)]
  })
}

describe('a comment', () => {
  it.each([
    ['@Ada and @Ada Lovelace', 'p(strong(@Ada) and strong(@Ada Lovelace))'],
    ['**@Ada** `@Ada` @Adam', 'p(strong(strong(@Ada)) code(@Ada) @Adam)'],
    ['@<b>', 'p(strong(@<b>))'],
    ['no mention', 'p(no mention)'],
  ])('shows the mentions of %j', (text, expected) => {
    expect(outline(renderComment(text, { mentions: ['Ada', 'Ada Lovelace', '<b>'] }))).toBe(expected)
  })

  it.each([
    [
      'as WEB-SHOP-1A, or #WEB-SHOP-2.',
      'as a[/issues/WEB-SHOP-1A](WEB-SHOP-1A), or #a[/issues/WEB-SHOP-2](WEB-SHOP-2).',
    ],
    ['**WEB-SHOP-1**', 'strong(a[/issues/WEB-SHOP-1](WEB-SHOP-1))'],
    ['@Ada: WEB-SHOP-1', 'strong(@Ada): a[/issues/WEB-SHOP-1](WEB-SHOP-1)'],
    ['`WEB-SHOP-1` [WEB-SHOP-1](/docs)', 'code(WEB-SHOP-1) a[/docs](WEB-SHOP-1)'],
    ['WEB-SHOP-2 WEB-SHOP-40 WEB-SHOP-0', 'a[/issues/WEB-SHOP-2](WEB-SHOP-2) WEB-SHOP-40 WEB-SHOP-0'],
    ['WEB-SHOP-1: API-1 API-2', 'a[/issues/WEB-SHOP-1](WEB-SHOP-1): a[/issues/API-1](API-1) API-2'],
    ['SHOP-1 web-shop-1 AWEB-SHOP-1 WEB-SHOP-1B_', 'SHOP-1 web-shop-1 AWEB-SHOP-1 WEB-SHOP-1B_'],
    ['x/WEB-SHOP-1 WEB-SHOP-1-2 a@WEB-SHOP-1', 'x/WEB-SHOP-1 WEB-SHOP-1-2 a@WEB-SHOP-1'],
  ])('links the short ids of issues in %j', (text, expected) => {
    const lastIssueNumbers = new Map([
      ['web-shop', Number.parseInt('3Z', 36)],
      ['api', 1],
    ])
    expect(outline(renderComment(text, { mentions: ['Ada'], lastIssueNumbers }))).toBe(`p(${expected})`)
  })

  it.each([
    ['so **it** is', 'p(so strong(it) is)'],
    ['`a < b`', 'p(code(a < b))'],
    ['```js\n<b>\n```', 'pre(<b>\n)'],
    ['- one\n- two', 'ul(li(p(one))li(p(two)))'],
    ['one\ntwo', 'p(onebr()two)'],
    ['# Loud', 'strong(Loud)'],
    ['> said', 'blockquote(p(said))'],
    ['| a |\n|---|\n| b |', 'table(thead(tr(th(a)))tbody(tr(td(b))))'],
    ['[docs](https://example.com/a?b=c)', 'p(a[https://example.com/a?b=c](docs))'],
    ['see https://example.com', 'p(see a[https://example.com](https://example.com))'],
    ['<ada@example.com>', 'p(a[mailto:ada@example.com](ada@example.com))'],
    ['[issue](/issues/1)', 'p(a[/issues/1](issue))'],
  ])('has the elements of %j', (text, expected) => {
    expect(outline(renderComment(text))).toBe(expected)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src=x></iframe>',
    '</p></li></ol><h1>x</h1>',
  ])('renders HTML as plain text: %s', (text) => {
    const nodes = renderComment(text)
    expect(linksOf(nodes)).toEqual([])
    expect(outline(nodes)).toContain('<')
    expect(JSON.stringify(nodes)).not.toMatch(/"tag":"(script|img|svg|iframe|h1|a)"/)
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#x73;cript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '<javascript:alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '[x](blob:abc)',
  ])('does not link to an unsafe address: %j', (text) => {
    expect(linksOf(renderComment(text))).toEqual([])
  })

  it('renders an image as a link, so that no server learns its readers', () => {
    expect(outline(renderComment('![x](https://evil.example/x.png)'))).toBe(
      'p(!a[https://evil.example/x.png](x))',
    )
  })

  it('renders any text as allowed elements with links to the web or to mail only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const href of linksOf(renderComment(text))) {
          expect(['https:', 'http:', 'mailto:']).toContain(URL.parse(href, 'https://here.example')?.protocol)
        }
      }),
    )
  })
})
