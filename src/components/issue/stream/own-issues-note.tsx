import { Link } from '@tanstack/react-router'
import { countedNoun } from '#numbers/number-text.ts'
import type { OwnIssues } from '#server/console/issues/views.ts'

/** Leads those who look after Culvert to the errors that it has itself, where a list leaves them out. */
export function OwnIssuesNote({ own }: { own: OwnIssues | undefined }) {
  if (own === undefined) return null
  const { slug, unresolved } = own
  return (
    <p className="own-issues">
      {`Culvert’s own project has ${countedNoun(unresolved.count, 'unresolved issue')}. `}
      <Link to="/issues" search={{ project: slug, status: 'unresolved' }}>
        Show
      </Link>
    </p>
  )
}
