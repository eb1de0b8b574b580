/** The content of a field for an event: its id or digest, or nothing for the latest event. */
export type SampleField = { ok: true; id?: string } | { ok: false; problem: string }

/** Reads the event on which settings are to be tried out. */
export function parseSampleField(text: string): SampleField {
  const id = text.trim().replaceAll('-', '').toLowerCase()
  if (id === '') return { ok: true }
  return /^[0-9a-f]{12,32}$/.test(id)
    ? { ok: true, id }
    : { ok: false, problem: 'Enter an event’s id or digest: 12 to 32 hex digits. Empty: the latest event.' }
}

export const noSample =
  'Event not found in this project. Leave empty for the latest event of an unresolved issue.'
