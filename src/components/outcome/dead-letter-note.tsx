import { Link } from '#components/ui/link.tsx'
import { countedNoun } from '#numbers/number-text.ts'

/** A link to the dead letters; nothing when there are none. */
export function DeadLetterNote({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="dead-letter-note">
      <Link to="/outcomes/dead-letters">{countedNoun(count, 'dead letter')}</Link>: items that could not be
      processed and are kept for retry.
    </p>
  )
}
