import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { ActionForm } from '#components/ui/form/action-form.tsx'
import type { FormAction } from '#components/ui/form/action-form.tsx'
import { LetterTable } from '#components/ui/letter-table.tsx'
import { countedNoun, exactCount } from '#components/ui/number-text.ts'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { DeadLetterListView } from '#server/console/outcomes/views.ts'
import type { DeadLetterSummary } from '#server/store/outcomes/records.ts'
import '#styles/reports.css'

/** The `/outcomes/dead-letters` screen: items on which our own code failed, to look at and to run again. */
export function DeadLetterList({ view, retryAction }: { view: DeadLetterListView; retryAction: FormAction }) {
  return (
    <NowProvider now={view.now}>
      <PageHeader
        title="Dead letters"
        description="Items on which Culvert itself failed. Their senders were answered, so they are kept, the newest of each project, to be run again after a fix."
      />
      {view.letters.length === 0 ? (
        <EmptyState title="No dead letters">
          <p>Every item that came in could be processed.</p>
        </EmptyState>
      ) : (
        <>
          <p className="dead-letter-warning">
            The bytes are <strong>as they came: nothing has been scrubbed</strong>. They may hold passwords
            and personal data; save them only where that may be.
          </p>
          <ActionForm action={retryAction} label="Run again">
            <DeadLetterTable letters={view.letters} />
          </ActionForm>
          {view.count > view.letters.length ? (
            <p className="quiet">
              The newest {exactCount(view.letters.length)} of {exactCount(view.count)}.{' '}
              <code>culvert dead-letters retry --all</code> runs all of them again.
            </p>
          ) : null}
        </>
      )}
    </NowProvider>
  )
}

function DeadLetterTable({ letters }: { letters: readonly DeadLetterSummary[] }) {
  return (
    <LetterTable
      what="Item"
      why="Why"
      letters={letters.map(({ id, project, itemType, reason, receivedAt, payloadBytes }) => ({
        id: `${project.id}:${id}`,
        kind: itemType,
        projectName: project.name,
        reason,
        receivedAt,
        size: countedNoun(payloadBytes, 'byte'),
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
        Run again
      </button>
      <a href={address} download>
        Save
      </a>
    </>
  )
}
