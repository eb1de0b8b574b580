import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { LetterDeletion, LetterTable } from '#components/ui/letter-table.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { DeadLetterListView } from '#server/console/outcomes/views.ts'
import type { DeadLetterSummary } from '#server/store/outcomes/records.ts'
import '#styles/reports.css'

interface DeadLetterListProps {
  view: DeadLetterListView
  action: FormAction
}

/** The `/outcomes/dead-letters` screen: items that Culvert failed to process. */
export function DeadLetterList({ view, action }: DeadLetterListProps) {
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
        <DeadLetters view={view} action={action} />
      ) : (
        <p className="quiet">Only admins and owners can see dead letters.</p>
      )}
    </NowProvider>
  )
}

function DeadLetters({ view: { letters, count }, action }: DeadLetterListProps) {
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
      <ActionForm action={action} label="Dead letters">
        {letters.length === 1 ? null : <AllLetters letters={letters} isAll={count === letters.length} />}
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

/** The oldest is retried first, so that the first event of an issue is its oldest. */
function AllLetters({ letters, isAll }: { letters: readonly DeadLetterSummary[]; isAll: boolean }) {
  const which = isAll ? 'all' : `these ${letters.length}`
  const names = letters.map(nameOf).toReversed().join(' ')
  return (
    <div className="all-letters">
      <button type="submit" className="button" name="change" value={`retry:${names}`}>
        Retry {which}
      </button>
      <LetterDeletion
        verb={`Delete ${which}`}
        change={`delete:${names}`}
        warning="All of them will be lost."
      />
    </div>
  )
}

/** As in forms and on the command line. */
function nameOf({ project, id }: DeadLetterSummary): string {
  return `${project.id}:${id}`
}

function DeadLetterTable({ letters }: { letters: readonly DeadLetterSummary[] }) {
  return (
    <LetterTable
      what="Item"
      why="Reason"
      letters={letters.map((letter) => ({
        id: nameOf(letter),
        kind: letter.itemType,
        projectName: letter.project.name,
        reason: letter.reason,
        receivedAt: letter.receivedAt,
        size: byteText(letter.payloadBytes),
        actions: <DeadLetterActions letter={letter} />,
      }))}
    />
  )
}

function DeadLetterActions({ letter }: { letter: DeadLetterSummary }) {
  const name = nameOf(letter)
  return (
    <>
      <button type="submit" className="button" name="change" value={`retry:${name}`}>
        Retry
      </button>
      <LetterDeletion verb="Delete" change={`delete:${name}`} warning="It will be lost." />
      <a href={`/outcomes/dead-letters/${letter.project.id}/${letter.id}`} download>
        Download
      </a>
    </>
  )
}
