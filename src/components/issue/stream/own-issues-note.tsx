import { Link } from '#components/ui/link.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { OwnIssues } from '#server/console/issues/views.ts'

/** Links to Culvert's own errors, for owners and admins whose list excludes them. */
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
