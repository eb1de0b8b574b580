import { LetterDeletion, LetterTable } from '#components/ui/letter-table.tsx'
import { byteText, countedNoun, exactCount } from '#numbers/number-text.ts'
import type { UndeliveredView } from '#server/console/project-settings/views.ts'

/** Envelopes that upstreams rejected permanently: each can be retried or deleted. */
export function UndeliveredTable({
  undelivered,
  total,
}: {
  undelivered: readonly UndeliveredView[]
  total: number
}) {
  return (
    <section aria-labelledby="undelivered-title" className="undelivered">
      <header>
        <h2 id="undelivered-title">Rejected</h2>
        <AllOfOne undelivered={undelivered} />
      </header>
      <p className="quiet">
        The upstream rejected these envelopes.{' '}
        {total > undelivered.length
          ? `The last ${exactCount(undelivered.length)} of ${exactCount(total)}.`
          : `${countedNoun(total, 'envelope')}, stored as received, unscrubbed.`}
      </p>
      <LetterTable
        what="Envelope"
        why="Response"
        letters={undelivered.map(({ reference, category, problem, host, byteCount, ...letter }) => ({
          ...letter,
          id: reference,
          kind: category,
          reason: problem,
          by: host,
          size: byteText(byteCount),
          actions: <RowActions reference={reference} />,
        }))}
      />
    </section>
  )
}

/** Where all of them are of one upstream. */
function AllOfOne({ undelivered }: { undelivered: readonly UndeliveredView[] }) {
  const upstreams = new Set(undelivered.map(({ reference }) => reference.replace(/:[0-9]+$/, '')))
  const [only, another] = upstreams
  if (only === undefined || another !== undefined) return null
  return (
    <div className="upstream-actions">
      <button type="submit" className="button" name="change" value={`retry:${only}`}>
        Retry all
      </button>
      <LetterDeletion verb="Delete all" change={`delete:${only}`} warning="All of them will be lost." />
    </div>
  )
}

function RowActions({ reference }: { reference: string }) {
  return (
    <>
      <button type="submit" className="button" name="change" value={`retry:${reference}`}>
        Retry
      </button>
      <LetterDeletion verb="Delete" change={`delete:${reference}`} warning="It will be lost." />
    </>
  )
}
