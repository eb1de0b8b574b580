/** The subjects of changes in this tab. */
const changed = new Set<string>()

/** True for a subject that was changed, or is being changed, in this tab. */
export function isOwnChange(subject: string): boolean {
  return changed.has(subject)
}

/** By subject: the last change that was sent or is queued. */
const lastChanges = new Map<string, Promise<unknown>>()

/**
 * Sends changes of one subject one after another, in the order of the calls; changes of different subjects
 * are sent in parallel. So the server receives two actions on one issue in the order of the keys.
 */
export async function sendInOrder<T>(subjects: readonly string[], send: () => Promise<T>): Promise<T> {
  const earlier = subjects.flatMap((subject) => lastChanges.get(subject) ?? [])
  const sent = earlier.length === 0 ? send() : Promise.allSettled(earlier).then(send)
  for (const subject of subjects) {
    lastChanges.set(subject, sent)
    changed.add(subject)
  }
  try {
    return await sent
  } finally {
    for (const subject of subjects) if (lastChanges.get(subject) === sent) lastChanges.delete(subject)
  }
}
