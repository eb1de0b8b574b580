import { DigestForm } from '#components/digest/digest-form.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Link } from '#components/ui/link.tsx'

/** The page for an unknown path, or for an issue or event that does not exist or has expired. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader
        title="Not found"
        description="This page doesn’t exist. It may have expired, or the link is wrong."
      >
        <Link to="/issues" search={{}} className="button">
          Go to the issues
        </Link>
      </PageHeader>
      <DigestForm />
    </>
  )
}
