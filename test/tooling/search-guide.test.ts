import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseSearch } from '#search/parse-search.ts'
import { unsupportedSentryWords } from '#search/sentry-words.ts'
import type { SearchWord } from '#search/word.ts'
import { searchWords } from '#search/words.ts'

const guide = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8')

const code = (text: string) => `\`${text}\``

/** The cells of a term's row in the guide. */
function rowOf({ word, aliases = [], description, values = [], sample, kind }: SearchWord): string[] {
  const examples = kind === 'choice' || sample === undefined ? values : [sample]
  return [[word, ...aliases].map(code).join(', '), description, examples.map(code).join(', ')]
}

const rows = guide
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

/** Code spans that contain a term with a value. */
function listSearches(text: string): string[] {
  return [...text.matchAll(/`([!("]?\w[\w.[\]]*:[^`]+)`/g)].flatMap(([, search = '']) => search)
}

describe('the guide to searching', () => {
  it('has a row for every term, with its names, what it finds and its values', () => {
    const documented = new Map(rows.map((row) => [row[0], row]))
    for (const word of searchWords) {
      const row = rowOf(word)
      expect(documented.get(row[0]) ?? word.word).toEqual(row)
    }
  })

  it('lists every unsupported term of Sentry', () => {
    for (const word of unsupportedSentryWords) expect(guide).toContain(code(word))
  })

  it('has only valid searches', () => {
    const blocks = [...guide.matchAll(/```\n([^]*?)```/g)].flatMap(([, block = '']) =>
      block.trim().split('\n'),
    )
    const [language = '', rest = ''] = guide.split('## Issues and their errors')
    const texts = [
      language,
      ...rest.split('\n').filter((line) => !line.startsWith('|') && !line.includes('are rejected, too')),
    ]
    const inText = texts.flatMap(listSearches)
    expect(blocks.length).toBeGreaterThan(2)
    expect(inText.length).toBeGreaterThan(15)
    for (const search of [...blocks, ...inText])
      expect({ search, problems: parseSearch(search).problems }).toEqual({ search, problems: [] })
  })
})
