import { useRouterState } from '@tanstack/react-router'
import { Link } from '#components/ui/link.tsx'
import type { ShellViewer } from '#server/console/shell/views.ts'
import { BrandMark } from './brand-mark.tsx'
import { HeaderSearch } from './header-search.tsx'
import { ProgressLine } from './progress-line.tsx'
import { UserMenu } from './user-menu.tsx'

/** The header of every screen: the name, the navigation, the search, and the progress line. */
export function SiteHeader({
  viewer,
  isAnonymous,
}: {
  viewer: ShellViewer | undefined
  isAnonymous: boolean
}) {
  return (
    <header className="site-header">
      <div className="site-header-row">
        <Link
          to="/issues"
          search={{}}
          className="brand"
          activeOptions={{ exact: true }}
          aria-label="Culvert, all issues"
        >
          <BrandMark />
          <span aria-hidden="true">Culvert</span>
        </Link>
        {isAnonymous ? null : <Screens />}
        {isAnonymous ? null : <HeaderSearch />}
        {viewer === undefined ? null : <Bell unreadCount={viewer.unreadCount} />}
        {viewer === undefined ? null : <UserMenu viewer={viewer} />}
      </div>
      <ProgressLine />
    </header>
  )
}

/** A link to the inbox, with the number of unread items. */
function Bell({ unreadCount }: { unreadCount: number }) {
  const count = unreadCount > 99 ? '99+' : String(unreadCount)
  return (
    <Link
      to="/inbox"
      search={{}}
      className="bell"
      aria-label={unreadCount === 0 ? 'Inbox' : `Inbox, ${count} unread`}
      data-shortcut="go-inbox"
    >
      <svg viewBox="0 0 16 16" width="16" height="16" fill="none" aria-hidden="true">
        <path d="M3 12h10l-1.5-2V7a3.5 3.5 0 0 0-7 0v3zM6.5 14h3" />
      </svg>
      {unreadCount === 0 ? null : <span aria-hidden="true">{count}</span>}
    </Link>
  )
}

function Screens() {
  // On the page of an event the link to the issues is the current one.
  const isEvent = useRouterState({ select: ({ location }) => location.pathname.startsWith('/events/') })
  return (
    <nav className="site-nav" aria-label="Screens">
      <Link
        to="/issues"
        search={{}}
        activeOptions={{ includeSearch: false }}
        aria-current={isEvent ? 'true' : undefined}
        data-shortcut="go-issues"
      >
        Issues
      </Link>
      <Link to="/releases" search={{}} activeOptions={{ includeSearch: false }} data-shortcut="go-releases">
        Releases
      </Link>
      <Link
        to="/performance"
        search={{}}
        activeOptions={{ includeSearch: false }}
        data-shortcut="go-performance"
      >
        Perf<span>ormance</span>
      </Link>
      <Link to="/monitors" search={{}} activeOptions={{ includeSearch: false }} data-shortcut="go-monitors">
        Monitors
      </Link>
      <Link to="/outcomes" search={{}} activeOptions={{ includeSearch: false }} data-shortcut="go-outcomes">
        Ingest<span>ion</span>
      </Link>
      <Link to="/tunnel" data-shortcut="go-tunnel">
        Forward<span>ing</span>
      </Link>
      <Link to="/projects" data-shortcut="go-projects">
        Projects
      </Link>
      <Link to="/digest" data-shortcut="go-digest">
        Find<span> event</span>
      </Link>
    </nav>
  )
}
