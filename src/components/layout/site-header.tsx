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
      title="Inbox"
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

/** The addresses and names of the screens; the keys that open them are named after the addresses. */
const screens = [
  ['/issues', 'Issues'],
  ['/releases', 'Releases'],
  ['/performance', 'Performance'],
  ['/monitors', 'Monitors'],
  ['/outcomes', 'Ingestion'],
  ['/tunnel', 'Forwarding'],
  ['/projects', 'Projects'],
  ['/digest', 'Find event'],
] as const

/** The screens to which pages with another address belong. */
const owners: Record<string, string> = { events: '/issues', traces: '/performance' }

function Screens() {
  const owner = useRouterState({ select: ({ location }) => owners[location.pathname.split('/')[1] ?? ''] })
  return (
    <nav className="site-nav" aria-label="Screens">
      {screens.map(([to, name]) => (
        <Link
          key={to}
          to={to}
          search={{}}
          activeOptions={{ includeSearch: false }}
          aria-current={to === owner ? 'true' : undefined}
          data-shortcut={to.replace('/', 'go-')}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
