import { shareLeftText } from '#numbers/number-text.ts'
import type { CrashCounts } from '#server/store/releases/records.ts'
import { crashesOf, findRateChange, rateWord, type CrashKind } from './crash-free-rates.ts'

/** A release with sessions. */
export interface RatedRelease {
  version: string
  crashes: CrashCounts
}

interface CrashFreeProps {
  kind: CrashKind
  crashes: CrashCounts
  previous?: RatedRelease | undefined
  isNamed?: boolean
}

/**
 * The share of sessions or users without a crash: marked if it is low, by color and a mark, with the
 * difference to the previous release. `isNamed`: the word for it is visible, too.
 */
export function CrashFree({ kind, crashes, previous, isNamed = false }: CrashFreeProps) {
  const counts = crashesOf(kind, crashes)
  const word = rateWord(counts)
  return (
    <>
      <span className="crash-free" data-rate={word} title={word}>
        {word === undefined ? null : <b aria-hidden="true">{word === 'low' ? '!' : '!!'} </b>}
        {shareLeftText(counts.crashed, counts.whole)}
        {word === undefined ? null : <span className={isNamed ? undefined : 'visually-hidden'}> {word}</span>}
      </span>
      {previous && <Change kind={kind} crashes={crashes} previous={previous} />}
    </>
  )
}

interface ChangeProps {
  kind: CrashKind
  crashes: CrashCounts
  previous: RatedRelease
}

function Change({ kind, crashes, previous: { version, crashes: before } }: ChangeProps) {
  const countsBefore = crashesOf(kind, before)
  const change = findRateChange(crashesOf(kind, crashes), countsBefore)
  if (change === undefined) return null
  const { isUp, points } = change
  const rateBefore = shareLeftText(countsBefore.crashed, countsBefore.whole)
  const words = `${points} points ${isUp ? 'above' : 'below'} ${version} (${rateBefore})`
  return (
    <span className="rate-change" title={words}>
      <span aria-hidden="true">
        {isUp ? '↑' : '↓'} {points}
      </span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
