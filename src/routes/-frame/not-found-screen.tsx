import { NotFoundPage } from '#components/failure/not-found-page.tsx'

/** The screen for an unknown path, issue, event or project. */
export function NotFoundScreen() {
  return <NotFoundPage />
}
