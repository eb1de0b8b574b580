import { Link } from '@tanstack/react-router'
import { PageHeader } from '#components/layout/page-header.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'

/** The top of every settings screen, with the way to the others. */
export function SettingsHeader({ title, description }: { title: string; description: string }) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className="settings-tabs">
        <LinkTabs label="Settings">
          <Link to="/settings" activeOptions={{ exact: true, includeSearch: false }}>
            Account
          </Link>
          <Link to="/settings/members">Members</Link>
          <Link to="/settings/tokens">API tokens</Link>
          <Link to="/settings/system">System</Link>
        </LinkTabs>
      </div>
    </>
  )
}
