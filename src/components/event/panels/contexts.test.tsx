import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { ContextsPanel } from './contexts.tsx'

function textOf(flags: JsonObject): string {
  return renderToStaticMarkup(<ContextsPanel contexts={{ flags }} />)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

it('shows sizes in bytes in a readable unit as well', () => {
  const device = { memory_size: 25_276_063_744, free_memory: 512, processor_count: 2 }
  const html = renderToStaticMarkup(<ContextsPanel contexts={{ device }} />)
  expect(html).toMatch(/25276063744<\/code><span class="quiet"> 25 GB</)
  expect(html).toMatch(/512<\/code><span class="quiet"> 512 bytes</)
  expect(html).toMatch(/>2<\/code><\/dd>/)
})

it('shows a size that is not a number as it was sent', () => {
  const html = renderToStaticMarkup(
    <ContextsPanel contexts={{ device: { memory_size: '8 GB', free_memory: null } }} />,
  )
  expect(html).not.toContain('class="quiet"')
})

it('shows feature flags by name, and other data as it was sent', () => {
  const values = [
    { flag: 'new-cart', result: true },
    { flag: 'variant', result: 'b' },
  ]
  expect(textOf({ values })).toContain('flags new-cart true variant b')
  expect(textOf({ values: [{ name: 'x' }] })).toContain('flags values')
})
