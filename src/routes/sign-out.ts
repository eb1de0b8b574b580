import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

export const Route = createFileRoute('/sign-out')({
  server: { handlers: { ANY: methodNotAllowed('POST') } },
})
