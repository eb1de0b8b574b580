import { useEffect, useRef } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { appConfig } from '../../../app.config.ts'
import { FailureActions } from './failure-actions.tsx'
import { eventPath, failureSentence, type FailureSide } from './failure-texts.ts'

/** The content of a failure page; it never includes an error's message and stack. */
export interface FailurePageProps {
  side: FailureSide
  /** First digits of the event id under which the error was captured. */
  digest?: string | undefined
  /** When it happened. Unix milliseconds. */
  at?: number
  /** The URL that exceeded the time limit: the page then reports a timeout. */
  timedOutUrl?: string
  /** The database could not be used. */
  isUnavailable?: boolean
  /** The user is signed in and may view the event. */
  isSignedIn?: boolean
  /** Runs the load again. Without it, "Try again" is a link to the same URL. */
  onRetry?: () => void
}

const title = `${appConfig.failurePage.heading} · ${appConfig.name}`

/**
 * The tab's title describes the failure; a page that sets its own title in the meantime keeps it. Returns the
 * stop function.
 */
function titleWhileShown(): () => void {
  const before = document.title
  document.title = title
  return () => {
    if (document.title === title) document.title = before
  }
}

/** The page for any failure. Its heading takes the focus, so that a screen reader starts there. */
export function FailurePage(props: FailurePageProps) {
  const { side, digest, at, timedOutUrl, isUnavailable = false, isSignedIn, onRetry } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(titleWhileShown, [])
  return (
    <section className="failure" role="alert">
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts nothing else can move the focus */}
      <h1 ref={heading} tabIndex={-1} autoFocus>
        {appConfig.failurePage.heading}
      </h1>
      {timedOutUrl === undefined ? (
        <p>{isUnavailable ? appConfig.failurePage.unavailableSentence : failureSentence(side)}</p>
      ) : (
        <p>
          {appConfig.failurePage.timeoutSentence} <code className="failure-url">{timedOutUrl}</code>
        </p>
      )}
      {digest === undefined ? null : (
        <p className="failure-digest">
          <span>
            Digest: <code>{digest}</code>
          </span>
          <CopyButton text={digest} label="Copy digest" />
        </p>
      )}
      {at === undefined ? null : (
        <p className="quiet">
          <Time at={at} isExact />
        </p>
      )}
      <FailureActions onRetry={onRetry} retryUrl={timedOutUrl} />
      {digest === undefined ? null : (
        <p className="quiet">
          Include this digest when you report the problem.
          {isSignedIn === true && (
            <>
              {' '}
              <a href={eventPath(digest)}>View event</a>
            </>
          )}
        </p>
      )}
    </section>
  )
}
