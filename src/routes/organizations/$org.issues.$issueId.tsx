import { createFileRoute, redirect } from '@tanstack/react-router'

/** Sentry's address of an issue, which Grafana and other clients link to. */
export const Route = createFileRoute('/organizations/$org/issues/$issueId')({
  beforeLoad: ({ params: { issueId } }) => {
    throw redirect({ to: '/issues/$issueId', params: { issueId } })
  },
})
