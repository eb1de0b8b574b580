import { limits } from '#server/limits.ts'
import { noteBundleUse } from '#server/store/artifacts/bundles.ts'
import type { Store } from '#server/store/store.ts'
import type { FileAnswer } from './map-question.ts'

/** Records the last use of bundles, at most once per `limits.artifactUseNotedMs`. */
export type NoteUse = (projectId: number, answers: readonly FileAnswer[]) => void

/** Each process records its own. */
export function createBundleUse(store: Store): NoteUse {
  const notedAt = new Map<string, number>()
  return (projectId, answers) => {
    const now = store.clock()
    const used = new Set(answers.flatMap((answer) => (answer.ok ? [answer.bundleId] : [])))
    const due = [...used].filter((bundleId) => {
      const name = `${projectId}:${bundleId}`
      if (now - (notedAt.get(name) ?? 0) < limits.artifactUseNotedMs) return false
      notedAt.set(name, now)
      return true
    })
    if (due.length === 0) return
    const keys = due.map((bundleId) => ({ projectId, bundleId }))
    // The next day's record replaces a failed one.
    noteBundleUse(store, keys).catch(() => undefined)
  }
}
