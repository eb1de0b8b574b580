import { PageHeader } from '#components/layout/page-header.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import '#styles/settings.css'

interface SettingsHeaderProps {
  title: string
  description: string
  /** The viewer administers an organization. */
  canConfigure: boolean
}

/** The header of every settings screen, with links to the others that the viewer may see. */
export function SettingsHeader({ title, description, canConfigure }: SettingsHeaderProps) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className="settings-tabs">
        <LinkTabs label="Settings">
          <Link to="/settings" activeOptions={{ exact: true, includeSearch: false }}>
            Account
          </Link>
          {canConfigure ? <Link to="/settings/members">Members</Link> : null}
          <Link to="/settings/notifications">Notifications</Link>
          {canConfigure ? <Link to="/settings/destinations">Destinations</Link> : null}
          {canConfigure ? <Link to="/settings/status-page">Status page</Link> : null}
          <Link to="/settings/tokens">API tokens</Link>
          {canConfigure ? <Link to="/settings/import">Import</Link> : null}
          {canConfigure ? <Link to="/settings/system">System</Link> : null}
        </LinkTabs>
      </div>
    </>
  )
}
