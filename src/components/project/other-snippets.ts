import { dsnParts } from './dsn-parts.ts'
import type { SetupStep } from './setup-step.ts'

/** Python, for scripts and for every framework that the SDK detects. */
export function pythonSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'pip install --upgrade sentry-sdk' },
    {
      label: 'The first lines of your program',
      code: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
    # release="worker@1.4.0",
)`,
    },
    { label: 'Try it', code: 'raise RuntimeError("First event from Python")' },
  ]
}

/**
 * One envelope of three lines: envelope header, item header, event. It needs only a POSIX shell and curl;
 * `od` creates the event id, because small images do not contain `uuidgen` and `openssl`.
 */
export function curlSteps(dsn: string): SetupStep[] {
  const parts = dsnParts(dsn)
  if (parts === undefined) return []
  return [
    {
      label: 'Shell',
      code: `event_id=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
curl -sS '${parts.envelopeUrl}' \\
  --header 'Content-Type: application/x-sentry-envelope' \\
  --header 'X-Sentry-Auth: Sentry sentry_version=7, sentry_client=curl/1.0, sentry_key=${parts.publicKey}' \\
  --data-binary @- <<END
{"event_id":"$event_id"}
{"type":"event"}
{"platform":"other","level":"error","exception":{"values":[{"type":"FirstError","value":"First event from curl"}]}}
END`,
    },
  ]
}
