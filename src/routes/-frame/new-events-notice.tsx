import { NewRows } from '#components/ui/new-rows.tsx'
import { focusFirstRow } from '#navigation/first-row.ts'
import type { NewEvents } from '#queries/issues/new-events.ts'

/** Announces new events that the list does not show yet. Loaded only if there are new events. */
export function NewEventsNotice({
  pending: { count, isMore },
  showPending,
}: {
  pending: NewEvents
  showPending: () => Promise<void>
}) {
  const show = async () => {
    await showPending()
    focusFirstRow()
  }
  return <NewRows count={count} isMore={isMore} name="event" onShow={() => void show()} />
}
