import { useSyncExternalStore } from 'react'

/** A notice: the result of a user's action. */
export interface Notice {
  text: string
  /** The action failed. */
  isFailure?: boolean
  /** A link to its error. */
  digest?: string | undefined
  /** The sign-in page that returns to this page. */
  signInHref?: string
  /** Undoes the action. */
  onUndo?: () => void
}

let shown: Notice | undefined
const listeners = new Set<() => void>()

/** Shows a notice in place of the previous one; undefined removes it. Only in the browser. */
export function showNotice(notice: Notice | undefined): void {
  shown = notice
  for (const listener of listeners) listener()
}

/** The current notice. */
export function useNotice(): Notice | undefined {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => undefined,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
