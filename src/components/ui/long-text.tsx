import type { ReactNode } from 'react'
import { cutString } from './json-preview.ts'

/** Text that is collapsed when it is longer than `limit` characters; `children` is the rendered full text. */
export function LongText({ text, limit, children }: { text: string; limit: number; children: ReactNode }) {
  if (text.length <= limit) return children
  return (
    <details className="long-text">
      <summary>
        <bdi className="long-text-start">{cutString(text, limit).shown}… </bdi>
        <span className="long-text-more">Show more</span>
        <span className="long-text-less">Show less</span>
      </summary>
      {children}
    </details>
  )
}
