import { byteText, countedNoun, exactCount } from '#components/ui/number-text.ts'
import { Time } from '#components/ui/time.tsx'
import type { UndeliveredView } from '#server/console/project-views.ts'

/** Envelopes that upstreams refused for good: each can be sent again, after the upstream was put right, or deleted. */
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
        <h2 id="undelivered-title">Refused</h2>
        <AllOfOne undelivered={undelivered} />
      </header>
      <p className="quiet">
        The upstream answered that it takes none of these as they are.{' '}
        {total > undelivered.length
          ? `The last ${exactCount(undelivered.length)} of ${exactCount(total)}.`
          : `${countedNoun(total, 'envelope')}, as ${total === 1 ? 'it' : 'they'} came: nothing has been scrubbed.`}
      </p>
      <table className="dead-letters">
        <thead>
          <tr>
            <th scope="col">Envelope</th>
            <th scope="col">Answer</th>
            <th scope="col">Came</th>
            <th scope="col">Size</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {undelivered.map((letter) => (
            <Row key={letter.reference} letter={letter} />
          ))}
        </tbody>
      </table>
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
      <button type="submit" className="button" data-tone="danger" name="change" value={`delete:${only}`}>
        Delete all
      </button>
    </div>
  )
}

function Row({ letter }: { letter: UndeliveredView }) {
  const { reference, projectName, host, lane, byteCount, receivedAt, problem } = letter
  return (
    <tr>
      <th scope="row">
        <code>{lane}</code> <span className="quiet">{projectName}</span>
      </th>
      <td>
        <bdi>{problem}</bdi> <span className="quiet">{host}</span>
      </td>
      <td>
        <Time at={receivedAt} />
      </td>
      <td>{byteText(byteCount)}</td>
      <td>
        <RowActions reference={reference} />
      </td>
    </tr>
  )
}

function RowActions({ reference }: { reference: string }) {
  return (
    <div className="dead-letter-actions">
      <button type="submit" className="button" name="change" value={`retry:${reference}`}>
        Send again
      </button>
      <button type="submit" className="button" data-tone="danger" name="change" value={`delete:${reference}`}>
        Delete
      </button>
    </div>
  )
}
