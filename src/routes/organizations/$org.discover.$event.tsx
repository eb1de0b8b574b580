import { createFileRoute, redirect } from '@tanstack/react-router'

/** Sentry's address of an event, `PROJECT:EVENT`, which Grafana links to. */
export const Route = createFileRoute('/organizations/$org/discover/$event')({
  beforeLoad: ({ params: { event } }) => {
    throw redirect({
      to: '/events/$eventId',
      params: { eventId: event.slice(event.lastIndexOf(':') + 1) },
    })
  },
})
