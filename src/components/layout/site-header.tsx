import { Link, useRouterState } from '@tanstack/react-router'
import type { ShellViewer } from '#server/console/shell/views.ts'
import { BrandMark } from './brand-mark.tsx'
import { HeaderSearch } from './header-search.tsx'
import { ProgressLine } from './progress-line.tsx'
import { UserMenu } from './user-menu.tsx'

/**
 * The bar above every screen: the name, the screens, the search, and the line that shows a page on its way.
 */
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
        {viewer === undefined ? null : <UserMenu viewer={viewer} />}
      </div>
      <ProgressLine />
    </header>
  )
}

function Screens() {
  // An event belongs to an issue, whose page it looks like.
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
      <Link to="/outcomes" search={{}} activeOptions={{ includeSearch: false }} data-shortcut="go-outcomes">
        Ingestion
      </Link>
      <Link to="/tunnel" data-shortcut="go-tunnel">
        Forwarding
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
