import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { ReleaseView } from '#server/console/releases/views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { CommitList } from './commit-list.tsx'
import { DeployTable } from './deploy-table.tsx'
import { ReleaseComparison } from './release-comparison.tsx'
import { releaseFacts } from './release-facts.tsx'
import { ReleaseHealth } from './release-health.tsx'
import { ReleaseIssueList } from './release-issue-list.tsx'
import { UploadTable } from './upload-table.tsx'
import '#styles/reports.css'

/** The `/releases/$version` screen: what a release broke, where it runs, and how the one before it did. */
export function ReleaseDetail({ view }: { view: ReleaseView }) {
  const { release, previous, deploys } = view
  const hasSessions = view.health.environments.length > 0
  return (
    <NowProvider now={view.now}>
      <Trail>
        <Link to="/releases" search={{}} data-shortcut="back">
          Releases
        </Link>
        <Link to="/releases" search={{ project: release.project.slug }}>
          {release.project.name}
        </Link>
      </Trail>
      <div className="release-detail">
        <PageHeader
          title={release.version}
          {...(view.otherProjects.length > 0 && { description: <OtherProjects view={view} /> })}
        />
        <DefinitionList layout="facts" items={releaseFacts(view)} />
        {hasSessions ? <ReleaseHealth view={view} /> : null}
        <IssuePanel
          id="new"
          title="New issues"
          none="No new issues."
          count={release.newIssueCount}
          issues={view.newIssues}
        />
        <IssuePanel
          id="regressed"
          title="Regressed issues"
          none="No regressed issues."
          count={release.regressedIssueCount}
          issues={view.regressedIssues}
        />
        {previous === undefined ? null : <ReleaseComparison release={release} previous={previous} />}
        {deploys.length === 0 ? null : <DeployTable deploys={deploys} />}
        {view.commits.length === 0 ? null : <CommitList view={view} />}
        {view.uploads.length === 0 ? null : <UploadTable view={view} />}
        {hasSessions ? null : <ReleaseHealth view={view} />}
      </div>
    </NowProvider>
  )
}

function OtherProjects({ view: { release, otherProjects } }: { view: ReleaseView }) {
  return (
    <>
      The same name in{' '}
      {otherProjects.map(({ id, slug, name }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <Link to="/releases/$version" params={{ version: release.version }} search={{ project: slug }}>
            {name}
          </Link>
        </span>
      ))}
    </>
  )
}

interface IssuePanelProps {
  id: string
  title: string
  none: string
  count: number
  issues: readonly IssueSummary[]
}

function IssuePanel({ id, title, none, count, issues }: IssuePanelProps) {
  const isCut = count > issues.length
  return (
    <Panel
      id={id}
      title={title}
      note={
        isCut
          ? `the latest ${exactCount(issues.length)} of ${exactCount(count)}`
          : countedNoun(count, 'issue')
      }
    >
      {issues.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ReleaseIssueList label={title} issues={issues} />
      )}
    </Panel>
  )
}
