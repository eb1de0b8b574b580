import { Link } from '@tanstack/react-router'

/** Leads to the set-up of a project, or to the projects where it is not clear which one. */
export function SetUpLink({ slug }: { slug: string | undefined }) {
  const look = { className: 'button', 'data-tone': 'primary' }
  return slug === undefined ? (
    <Link to="/projects" {...look}>
      Set up an SDK
    </Link>
  ) : (
    <Link to="/projects/$slug/setup" params={{ slug }} {...look}>
      Set up an SDK
    </Link>
  )
}
