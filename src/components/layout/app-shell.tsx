import type { ReactNode } from 'react'
import { TimeZoneProvider } from '#components/ui/time/time-zone.tsx'
import type { ShellViewer } from '#server/console/shell/views.ts'
import { DestinationBanner } from './destination-banner.tsx'
import { SiteHeader } from './site-header.tsx'
import { ZoneNote } from './zone-note.tsx'

interface AppShellProps {
  release?: string
  viewer?: ShellViewer | undefined
  /** No user is signed in: only the sign-in page is reachable. */
  isAnonymous?: boolean
  children: ReactNode
}

/**
 * The frame of every screen: skip link, header and main. `release` is the version in the footer; without a
 * `viewer` the only link is the sign-in page.
 */
export function AppShell({ release, viewer, isAnonymous = false, children }: AppShellProps) {
  return (
    <TimeZoneProvider chosen={viewer?.timeZone}>
      <div className="app-shell">
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <SiteHeader viewer={viewer} isAnonymous={isAnonymous} />
        <main id="main" tabIndex={-1}>
          <DestinationBanner names={viewer?.failingDestinations ?? []} />
          {children}
        </main>
        <footer className="site-footer">
          <span>Culvert{release === undefined ? null : <> {release}</>}</span>
          {viewer === undefined ? null : <ZoneNote />}
        </footer>
      </div>
    </TimeZoneProvider>
  )
}
