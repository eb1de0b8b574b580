import type { ReactNode } from 'react'
import { Link } from '#components/ui/link.tsx'
import { quoteValue } from '#search/quote-value.ts'
import { toTagKey } from '#search/tag-key.ts'

/** Maximum length of a stored tag value: a longer value is not searchable. */
const tagCharacters = 200

interface TagLinkProps {
  projectSlug: string
  tagKey: string
  value: string
  children: ReactNode
}

/** A link to the issues of a project with this tag value; only the value if it is not searchable. */
export function TagLink({ projectSlug, tagKey, value, children }: TagLinkProps) {
  const key = toTagKey(tagKey)
  if (key === undefined || value.length > tagCharacters || /[\r\n]/.test(value)) return children
  return (
    <Link
      to="/issues"
      search={{ q: `${key}:${quoteValue(value)}`, status: 'all', project: projectSlug }}
      activeOptions={{ exact: true }}
      title={`Issues with ${tagKey} ${value}`}
    >
      {children}
    </Link>
  )
}
