import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { TraceNote } from '#server/console/traces/views.ts'

/** Why a trace is not complete, or its times are not exact: a sentence each. */
export function TraceNotes({ notes }: { notes: readonly TraceNote[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="trace-notes">
      {notes.map((note) => (
        <li key={note.kind}>{texts[note.kind](note.count, note)}</li>
      ))}
    </ul>
  )
}

const texts: Record<TraceNote['kind'], (count: number, note: TraceNote) => string> = {
  no_root: () =>
    'The root span has not been received: the request may still be running, or its SDK stopped before it could send it.',
  lost_parents: (count) =>
    `${countedNoun(count, 'span')} ${count === 1 ? 'names a parent that is' : 'name parents that are'} not stored: ` +
    'not sampled, blocked in the browser, sent elsewhere, or still running.',
  clocks: (count) =>
    `${countedNoun(count, 'service')} started before the caller: the clocks of the machines differ.`,
  clocks_ahead: (count) =>
    `${countedNoun(count, 'service')} started after ${count === 1 ? 'its' : 'their'} spans were received: ${count === 1 ? 'its clock is' : 'their clocks are'} ahead.`,
  cycles: (count) =>
    `${countedNoun(count, 'span')} ${count === 1 ? 'is its own ancestor' : 'are their own ancestors'}, and shown without a parent.`,
  sampled: (count) => `The application records ${Number(count.toPrecision(2))}% of its traces.`,
  segments: (count, { shownCount = 0, isAtLeast = false }) =>
    `The spans arrived in ${isAtLeast ? 'at least ' : ''}${countedNoun(count, 'segment')}. Only the ${exactCount(shownCount)} that started first are shown.`,
  cut: (count) => `${countedNoun(count, 'further span')} ${count === 1 ? 'is' : 'are'} not shown.`,
}
