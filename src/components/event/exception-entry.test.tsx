import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Mechanism } from '#protocol/event.ts'
import { ExceptionEntry } from './exception-entry.tsx'

function textOf(mechanism: Mechanism): string {
  const html = renderToStaticMarkup(
    <ExceptionEntry
      exception={{ type: 'EXC_BAD_ACCESS', mechanism }}
      relation={undefined}
      isTitled
      isAlone
      openCount={1}
      isFull={false}
    />,
  )
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

it('shows what the platform reports about the capture', () => {
  const text = textOf({
    type: 'mach',
    description: 'Segfault',
    data: { relevant_address: '0x0' },
    meta: { signal: { number: 11, name: 'SIGSEGV' } },
  })
  expect(text).toMatch(/Mechanism mach .*description .*Segfault.*relevant_address .*0x0.*signal .*SIGSEGV/)
})

it('has no section for a mechanism without details', () => {
  expect(textOf({ type: 'generic', handled: true })).not.toContain('Mechanism ')
})
