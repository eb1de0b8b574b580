import { Link } from '@tanstack/react-router'
import { DigestForm } from '#components/digest/digest-form.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'

/** Where no screen is, or no such issue or event (any more). */
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
