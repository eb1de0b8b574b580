import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { LetterTable } from '#components/ui/letter-table.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { DeadLetterListView } from '#server/console/outcomes/views.ts'
import type { DeadLetterSummary } from '#server/store/outcomes/records.ts'
import '#styles/reports.css'

interface DeadLetterListProps {
  view: DeadLetterListView
  retryAction: FormAction
}

/** The `/outcomes/dead-letters` screen: items that Culvert failed to process, to download and to retry. */
export function DeadLetterList({ view, retryAction }: DeadLetterListProps) {
  return (
    <NowProvider now={view.now}>
      <Trail>
        <Link to="/outcomes" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
          Ingestion
        </Link>
      </Trail>
      <PageHeader
        title="Dead letters"
        description="Items that could not be processed. The newest of each project are kept for retry after a fix."
      />
      {view.canConfigure ? (
        <DeadLetters view={view} retryAction={retryAction} />
      ) : (
        <p className="quiet">Only admins and owners can see dead letters.</p>
      )}
    </NowProvider>
  )
}

function DeadLetters({ view: { letters, count }, retryAction }: DeadLetterListProps) {
  if (letters.length === 0)
    return (
      <EmptyState title="No dead letters">
        <p>Every received item was processed.</p>
      </EmptyState>
    )
  return (
    <>
      <p className="dead-letter-warning">
        The downloads are <strong>unscrubbed</strong>. They may contain passwords and personal data.
      </p>
      <ActionForm action={retryAction} label="Retry">
        <DeadLetterTable letters={letters} />
      </ActionForm>
      {count > letters.length ? (
        <p className="quiet">
          The newest {exactCount(letters.length)} of {exactCount(count)}.{' '}
          <code>culvert dead-letters retry --all</code> retries all of them.
        </p>
      ) : null}
    </>
  )
}

function DeadLetterTable({ letters }: { letters: readonly DeadLetterSummary[] }) {
  return (
    <LetterTable
      what="Item"
      why="Reason"
      letters={letters.map(({ id, project, itemType, reason, receivedAt, payloadBytes }) => ({
        id: `${project.id}:${id}`,
        kind: itemType,
        projectName: project.name,
        reason,
        receivedAt,
        size: byteText(payloadBytes),
        actions: (
          <DeadLetterActions
            name={`${project.id}:${id}`}
            address={`/outcomes/dead-letters/${project.id}/${id}`}
          />
        ),
      }))}
    />
  )
}

function DeadLetterActions({ name, address }: { name: string; address: string }) {
  return (
    <>
      <button type="submit" className="button" name="letter" value={name}>
        Retry
      </button>
      <a href={address} download>
        Download
      </a>
    </>
  )
}
