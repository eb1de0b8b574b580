import { useEffect, useRef } from 'react'
import { Digest } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import type { PostedUndo } from '#server/forms/form-views.ts'

/** The content of the line. */
export interface NoticeLineProps {
  notice:
    | {
        text: string
        isFailure?: boolean
        digest?: string | undefined
        signInHref?: string
        onUndo?: () => void
        /** The same without JavaScript. */
        undo?: PostedUndo
      }
    | undefined
  onDismiss: () => void
  /**
   * The time for which it is shown; extended while the pointer or the focus is on it. A failure is shown
   * until it is dismissed.
   */
  shownMs: number
}

/** The line that reports the last action and can undo it. Always present, so that its text is announced. */
export function NoticeLine({ notice, onDismiss, shownMs }: NoticeLineProps) {
  const line = useRef<HTMLDivElement>(null)
  const isHydrated = useHydrated()
  useEffect(() => {
    if (notice === undefined || notice.isFailure === true) return undefined
    const timer = setInterval(() => {
      if (line.current?.matches(':hover, :focus-within') !== true) onDismiss()
    }, shownMs)
    return () => clearInterval(timer)
  }, [notice, onDismiss, shownMs])
  return (
    <div ref={line} className="notice" data-shown={notice !== undefined || undefined}>
      <p role="status">{notice?.isFailure === true ? null : notice?.text}</p>
      {notice?.isFailure === true ? (
        <p role="alert">
          {notice.text}
          <Digest digest={notice.digest} />
          {notice.signInHref === undefined ? null : (
            <>
              {' '}
              <a href={notice.signInHref}>Sign in again</a>
            </>
          )}
        </p>
      ) : null}
      {notice === undefined ? null : (
        <>
          {notice.onUndo === undefined ? null : (
            <button type="button" className="button" onClick={notice.onUndo} data-shortcut="undo">
              Undo
            </button>
          )}
          {notice.undo === undefined ? null : (
            <form method="post" action={notice.undo.url}>
              {notice.undo.fields.map(([name, value]) => (
                <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
              ))}
              <button type="submit" className="button">
                Undo
              </button>
            </form>
          )}
          {isHydrated ? (
            <button type="button" className="icon-button" onClick={onDismiss} aria-label="Dismiss">
              <Icon name="x" />
            </button>
          ) : null}
        </>
      )}
    </div>
  )
}
