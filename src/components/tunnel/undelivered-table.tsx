import { LetterTable } from '#components/ui/letter-table.tsx'
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
        why="Answer"
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
        Send all again
      </button>
      <Deletion verb="Delete all" reference={only} warning="All of them will be lost." />
    </div>
  )
}

function RowActions({ reference }: { reference: string }) {
  return (
    <>
      <button type="submit" className="button" name="change" value={`retry:${reference}`}>
        Retry
      </button>
      <Deletion verb="Delete" reference={reference} warning="It will be lost." />
    </>
  )
}

/** Asks first: no undo restores an envelope. `details`, so that it works before any script has run. */
function Deletion({ verb, reference, warning }: { verb: string; reference: string; warning: string }) {
  return (
    <details className="envelope-deletion">
      <summary className="button">{verb}…</summary>
      <p className="quiet">{warning}</p>
      <button type="submit" className="button" data-tone="danger" name="change" value={`delete:${reference}`}>
        {verb}
      </button>
    </details>
  )
}
