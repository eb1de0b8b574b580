import { expect, it } from 'vitest'
import { findCompletion } from '#search/completion.ts'
import { parseSearch } from '#search/parse-search.ts'
import { findExcessGrowth } from '#test/cpu-time.ts'
import { fencedBlock, inlineCode } from './events/markdown-text.ts'
import { renderComment } from './issues/comment-markdown.ts'

const pieces =
  ' |\n|a|"|\\|`|~|*|**|_|[|](|![|<|>|&|#|- |1. |: |key:|key:*|!key:"|a:[b,|>=1 |is:|http://|a@b.c|    a|| a ||\u0000|é|A|A-|A-9 '.split(
    '|',
  )

const readers: Record<string, (text: string) => unknown> = {
  'a search': parseSearch,
  'a search that is completed': (text) => findCompletion(text, text.length),
  'a comment': (text) => renderComment(text, { mentions: ['a'], lastIssueNumbers: new Map([['a', 9]]) }),
  'a block of Markdown': fencedBlock,
  'code within Markdown': inlineCode,
}

it.each(Object.entries(readers))('the time to read %s grows with its text', (_, read) => {
  const excess = pieces.flatMap((piece) => {
    const growth = findExcessGrowth((characters) => {
      const text = piece.repeat(Math.ceil(characters / Math.max(1, piece.length)))
      return () => read(text)
    })
    return growth === undefined ? [] : [`${JSON.stringify(piece)}: ${growth.toFixed(0)} times`]
  })
  expect(excess).toEqual([])
})
