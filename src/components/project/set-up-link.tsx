import { Link } from '#components/ui/link.tsx'

/** A link to the setup page of a project, or to the projects if there are several. */
export function SetUpLink({ slug }: { slug: string | undefined }) {
  return (
    <Link
      to={slug === undefined ? '/projects' : '/projects/$slug/setup'}
      params={{ slug: slug ?? '' }}
      className="button"
      data-tone="primary"
    >
      Set up an SDK
    </Link>
  )
}
