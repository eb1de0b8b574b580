import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { TunnelView } from '#server/console/project-settings/views.ts'
import { UndeliveredTable } from './undelivered-table.tsx'
import { UpstreamCard } from './upstream-card.tsx'
import '#styles/reports.css'

/** The `/tunnel` screen: the upstreams of projects, their queues, and rejected envelopes. */
export function TunnelScreen({ view, action }: { view: TunnelView; action: FormAction }) {
  const { upstreams, undelivered, tunnelPath, canConfigure, now } = view
  return (
    <NowProvider now={now}>
      <PageHeader
        title="Forwarding"
        description="Events are stored first, then forwarded to each project’s upstreams."
      />
      {upstreams.length === 0 ? (
        <EmptyState title="No forwarding set up">
          <p>
            {canConfigure
              ? 'Add an upstream (Sentry, GlitchTip or another Culvert) in the settings of a project, under Upstreams.'
              : 'Admins and owners can add an upstream (Sentry, GlitchTip or another Culvert) to a project.'}{' '}
            The tunnel for browsers, at <code>{tunnelPath}</code>, also works without upstreams.
          </p>
          {canConfigure ? (
            <Link to="/projects" search={{}} className="button">
              Choose a project
            </Link>
          ) : null}
        </EmptyState>
      ) : (
        <ActionForm action={action} label="Upstreams">
          <ul className="upstreams">
            {upstreams.map((upstream) => (
              <UpstreamCard key={upstream.reference} upstream={upstream} tunnelPath={tunnelPath} />
            ))}
          </ul>
          {undelivered.length === 0 ? null : (
            <UndeliveredTable
              undelivered={undelivered}
              total={upstreams.reduce((sum, { failedCount }) => sum + failedCount, 0)}
            />
          )}
        </ActionForm>
      )}
    </NowProvider>
  )
}
