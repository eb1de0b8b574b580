import { createFileRoute, redirect } from '@tanstack/react-router'
import * as v from 'valibot'
import { DigestForm } from '#components/digest/digest-form.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { pageHead } from '#routes/-frame/page-title.ts'

/** The router reads `?q=123456789012` as a number. */
const query = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.trim(), v.maxLength(200))

export const Route = createFileRoute('/digest/')({
  validateSearch: v.object({ q: v.fallback(v.optional(query), undefined) }),
  beforeLoad: ({ search }) => {
    if (search.q) throw redirect({ to: '/digest/$digest', params: { digest: search.q } })
  },
  head: () => pageHead('Find an event'),
  component: DigestScreen,
})

function DigestScreen() {
  return (
    <>
      <PageHeader title="Find an event" />
      <DigestForm />
    </>
  )
}
