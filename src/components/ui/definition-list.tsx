import type { ReactNode } from 'react'

/** A term and its description. */
export interface Definition {
  term: string
  description: ReactNode
}

/**
 * Names and values, one below the other. `layout` is `rows` for a long list, `facts` for a few short values
 * side by side. A name may occur twice (request headers do).
 */
export function DefinitionList({
  items,
  layout = 'rows',
}: {
  items: readonly Definition[]
  layout?: 'rows' | 'facts'
}) {
  return (
    <dl className="definitions" data-layout={layout}>
      {items.map(({ term, description }, index) => (
        <div key={index}>
          <dt>
            <bdi>{term}</bdi>
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  )
}
