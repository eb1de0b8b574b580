import type { ReactNode } from 'react'
import { SiteHeader } from './site-header.tsx'

/** The frame of every screen: skip link, header and main. `release` is the version in the footer. */
export function AppShell({ release, children }: { release?: string; children: ReactNode }) {
  return (
    <div className="app-shell">
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <span>Culvert{release === undefined ? null : <> {release}</>}</span>
        <span>Answered means committed.</span>
      </footer>
    </div>
  )
}
