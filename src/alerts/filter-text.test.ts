import fc from 'fast-check'
import { expect, it } from 'vitest'
import { filterExamples, formatFilterLine, parseFilters } from './filter-text.ts'

it('reads every example, and writes it as it was', () => {
  const parsed = parseFilters(`\n${filterExamples.join('\r\n\n')}`)
  expect(parsed.ok && parsed.filters.map(formatFilterLine)).toEqual(filterExamples)
})

it.each(['environment', 'environment is', 'level at least loud', 'older than 0 hours', 'tag is x', 'x'])(
  'explains the line %j',
  (line) => {
    expect(parseFilters(`assigned\n${line}`)).toEqual({
      ok: false,
      problem: 'Line 2 is no filter. Write it as "environment is production".',
    })
  },
)

it('reads any text, and any filter that it wrote', () => {
  const words = fc.constantFrom('environment', 'is', 'not', 'tag', 'path', 'contains', 'older', 'than', '2')
  const lines = fc.array(fc.oneof(words, fc.string()), { maxLength: 6 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(lines, (line) => {
      const parsed = parseFilters(line)
      if (!parsed.ok) return
      const text = parsed.filters.map(formatFilterLine).join('\n')
      expect(parseFilters(text)).toEqual(parsed)
    }),
  )
})
