import { expect, it } from 'vitest'
import { doctypeLength, isWholePage, toPageBytes } from './page-bytes.ts'

const texts = {
  'of ASCII': '<p>a</p>',
  'with two and three bytes': '<p>é … ’</p>',
  'with pairs of surrogates, and one without its other half': '<p>😀 \uD83D</p>',
  'larger than the shared buffer': `<p>${'…'.repeat(400_000)}</p>`,
  'that is empty': '',
}

it.each(Object.entries(texts))('a page %s is its UTF-8 behind the doctype', (_what, html) => {
  const bytes = toPageBytes(html)
  expect(bytes.equals(Buffer.from(`<!DOCTYPE html>${html}`))).toBe(true)
  expect(bytes.length - Buffer.byteLength(html)).toBe(doctypeLength)
})

it('a page keeps its bytes when the next one is rendered', () => {
  const first = toPageBytes('<p>first</p>')
  toPageBytes('<p>second</p>')
  expect(first.toString()).toBe('<!DOCTYPE html><p>first</p>')
})

it('a page is complete unless React left a part to the browser', () => {
  expect(isWholePage(toPageBytes('<p>a</p><!--$--><p>b</p><!--/$-->'))).toBe(true)
  expect(isWholePage(toPageBytes('<p>a text with $!--&gt;</p><script>"$!-->"</script>'))).toBe(true)
  expect(isWholePage(toPageBytes('<p>a</p><!--$!--><template></template><!--/$-->'))).toBe(false)
})
