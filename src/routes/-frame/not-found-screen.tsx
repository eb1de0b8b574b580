import { NotFoundPage } from '#components/failure/not-found-page.tsx'

/** Where no screen is, or no such issue, event or project. */
export function NotFoundScreen() {
  return <NotFoundPage />
}
