import { createFileRoute } from '@tanstack/react-router'
import { pagePosts } from '#server/auth/pages.form.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'

export const Route = createFileRoute('/sign-out')({
  server: { handlers: { POST: pagePosts.signOut, ANY: methodNotAllowed('POST') } },
})
