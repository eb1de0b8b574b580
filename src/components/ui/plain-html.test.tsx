import { createContext, createElement, memo, type ReactNode, Suspense, use } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PlainHtml } from './plain-html.ts'

const Word = createContext('outside')
const hostile = `</b><script>alert("1' & 2")</script>`

const rawHtml = { dangerouslySetInnerHTML: { __html: '' } }

function renderPlain(content: ReactNode): string {
  return renderToString(<PlainHtml as="ol">{content}</PlainHtml>)
}

function ReadWord() {
  return <i>{use(Word)}</i>
}

const Remembered = memo(function Remembered({ text }: { text: string }) {
  return (
    <>
      {text} and {2}
    </>
  )
})

it.each<[string, ReactNode]>([
  ['texts and numbers', ['a', 1, 'b', '', null, false, undefined, 2n]],
  ['texts of neighbours', <p key="">{['a', <b key="">b</b>, 'c', 'd']}e</p>],
  ['hostile text', <b key="">{hostile}</b>],
  ['hostile attributes', <b key="" title={hostile} data-x={hostile} className={hostile} />],
  ['hostile addresses', createElement('a', { href: `/${hostile}` })],
  ['attributes', <b key="" aria-hidden data-on={false} hidden tabIndex={-1} title="" lang={undefined} />],
  ['event handlers', createElement('b', { onClick: () => {}, ref: () => {} })],
  [
    'inputs',
    <label key="" htmlFor="x">
      Label
      <input type="checkbox" name="n" value={hostile} form="f" autoComplete="off" readOnly checked />
    </label>,
  ],
  [
    'drawings',
    <svg key="" viewBox="0 0 1 1" preserveAspectRatio="none" strokeWidth={2} strokeLinecap="round">
      <title>{`a & b`}</title>
      <path d="" />
    </svg>,
  ],
  ['instants', <time key="" dateTime="2026-11-26" />],
  ['components', [<Remembered key="a" text="a" />, <ReadWord key="b" />]],
])('writes what React writes: %s', (_, content) => {
  expect(renderPlain(content)).toBe(renderToString(<ol>{content}</ol>))
})

it('reads the contexts around it', () => {
  const html = renderToString(
    <Word value="inside">
      <PlainHtml as="ol">
        <ReadWord />
      </PlainHtml>
    </Word>,
  )
  expect(html).toBe('<ol><i>inside</i></ol>')
})

it.each(['javascript:alert(1)', ' \tjava\nscript:alert(1)', 'data:text/html,x'])(
  'leaves out the address %j, which may run a script',
  (href) => {
    expect(renderPlain(createElement('a', { href }, 'x'))).toBe('<ol><a>x</a></ol>')
  },
)

it.each<[string, ReactNode]>([
  ['Suspense', <Suspense key="" />],
  ['a provider', <Word key="" value="x" />],
  ['style', <b key="" style={{ color: 'red' }} />],
  ['HTML as a string', createElement('b', rawHtml)],
  ['a field with rules of its own', createElement('select')],
])('rejects what only React can render: %s', (_, content) => {
  expect(() => renderPlain(content)).toThrow(TypeError)
})
