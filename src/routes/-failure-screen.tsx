import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { FailurePage } from '#components/failure/failure-page.tsx'
import { AppShell } from '#components/layout/app-shell.tsx'
import { failureOf } from '#monitoring/failure-of.ts'

/** The failure page inside the application's frame: for an error of one screen. "Try again" loads its data again. */
export function FailureScreen({ error }: ErrorComponentProps) {
  const router = useRouter()
  const [failure] = useState(() => failureOf(error))
  return (
    <FailurePage
      side={failure.side}
      digest={failure.digest}
      onRetry={() => void router.invalidate()}
      {...(failure.isTimeout && { timedOutUrl: router.state.location.href })}
    />
  )
}

/** The failure page when the frame itself could not be made. */
export function FailureDocument(props: ErrorComponentProps) {
  return (
    <AppShell>
      <FailureScreen {...props} />
    </AppShell>
  )
}
