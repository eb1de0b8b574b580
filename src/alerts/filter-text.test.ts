import fc from 'fast-check'
import { expect, it } from 'vitest'
import { filterExamples, formatFilterLine, parseFilters } from './filter-text.ts'

const people = [{ userId: 'u1', email: 'ada@example.com' }]

it('parses every example, and formats it unchanged', () => {
  const parsed = parseFilters(`\n${filterExamples.join('\r\n\n')}`, people)
  expect(parsed.ok && parsed.filters.map((filter) => formatFilterLine(filter, people))).toEqual(
    filterExamples,
  )
})

it('finds a member by email address, case-insensitively, and reports unknown ones', () => {
  expect(parseFilters('not assigned to ADA@example.com', people)).toEqual({
    ok: true,
    filters: [{ kind: 'assignee', is: false, id: 'u1' }],
  })
  expect(parseFilters('assigned\nassigned to bob@example.com', people)).toEqual({
    ok: false,
    problem: 'Line 2: bob@example.com is not the email address of a user with access to the project.',
  })
})

it.each(['environment', 'environment is', 'level at least loud', 'older than 0 hours', 'tag is x', 'x'])(
  'explains the problem of the line %j',
  (line) => {
    expect(parseFilters(`assigned\n${line}`)).toEqual({
      ok: false,
      problem: 'Line 2 is not a filter. Example: "environment is production".',
    })
  },
)

it('parses any text, and every formatted filter', () => {
  const words = fc.constantFrom('environment', 'is', 'not', 'tag', 'path', 'contains', 'older', 'than', '2')
  const lines = fc.array(fc.oneof(words, fc.string()), { maxLength: 6 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(lines, (line) => {
      const parsed = parseFilters(line)
      if (!parsed.ok) return
      const text = parsed.filters.map((filter) => formatFilterLine(filter)).join('\n')
      expect(parseFilters(text)).toEqual(parsed)
    }),
  )
})
