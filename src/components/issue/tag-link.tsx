import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { quoteValue } from '#search/quote-value.ts'

/** Characters of a tag's value that are kept: a longer one is found by none. */
const tagCharacters = 200

/**
 * The issues of a project that have an event with this value of a tag; the value alone where that cannot be
 * searched.
 */
export function TagLink({
  projectSlug,
  tagKey,
  value,
  children,
}: {
  projectSlug: string
  tagKey: string
  value: string
  children: ReactNode
}) {
  if (value.length > tagCharacters || /[\r\n]/.test(value)) return children
  return (
    <Link
      to="/issues"
      search={{ q: `${tagKey}:${quoteValue(value)}`, status: 'all', project: projectSlug }}
      activeOptions={{ exact: true }}
      title={`Issues with ${tagKey} ${value}`}
    >
      {children}
    </Link>
  )
}
