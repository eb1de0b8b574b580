import { measureAlerts } from './alerts/alert-metrics.ts'
import { createMailSender } from './alerts/channels/email/mail-sender.ts'
import { toPasswordMail } from './alerts/channels/email/password-mail.ts'
import { createAlertDecider, type AlertDecider } from './alerts/decider.ts'
import { createAlertDeliverer, type AlertDeliverer } from './alerts/deliverer.ts'
import { createMailCheck, type MailCheck } from './alerts/mail-check.ts'
import {
  createPasswordLinkMailer,
  type LinkSender,
  type PasswordLinkMailer,
} from './auth/password-link-mailer.ts'
import type { DataDirClaim } from './data-dir/claim.ts'
import type { Env } from './env.ts'
import { measureForwarding } from './forward/forward-metrics.ts'
import { createForwarder, type Forwarder } from './forward/forwarder.ts'
import { ImportRunner } from './import/import-runner.ts'
import type { LocalEnvelope } from './ingest/receive/envelope.ts'
import { createIssueTimer, type IssueTimer } from './issue-timer.ts'
import type { Log } from './log.ts'
import type { CountedCommitter } from './metrics/counted-committer.ts'
import { createHeartbeat, measureProcesses, type Heartbeat } from './metrics/heartbeat.ts'
import { measureReplica } from './metrics/replica-metrics.ts'
import type { ServerMetrics } from './metrics/server-metrics.ts'
import { createMonitorClock, type MonitorClock } from './monitors/monitor-clock.ts'
import { createRetentionRunner, type RetentionRunner } from './retention/runner.ts'
import type { Store } from './store/store.ts'
import { createIssueCreator, type IssueCreator } from './trackers/issue-creator.ts'

/** The background work of a long-running process, which starts it; other processes do not. */
export interface Background {
  /** Deletes expired data. Not started. */
  readonly retention: RetentionRunner
  /** Forwards to upstreams. Not started. */
  readonly forwarder: Forwarder
  /** Reopens archived issues. Not started. */
  readonly issueTimer: IssueTimer
  /** Evaluates alert rules. Not started. */
  readonly alertDecider: AlertDecider
  /** Sends alert messages. Not started. */
  readonly alertDeliverer: AlertDeliverer
  /** Checks the mail server. Not started. */
  readonly mailCheck: MailCheck
  /** Mails links for a new password. */
  readonly passwordLinkMailer: PasswordLinkMailer
  /** Runs imports of the console. */
  readonly importRunner: ImportRunner
  /** Creates issues in trackers. */
  readonly issueCreator: IssueCreator
  /** Applies check-ins of monitors. Not started. */
  readonly monitorClock: MonitorClock
  /** Announces this process to others. Not started. */
  readonly heartbeat: Heartbeat
}

/** Ingests an envelope of this process. */
export type Ingest = (envelope: LocalEnvelope) => Promise<unknown>

/** Creates the background work, within the operator's limit and address rules. */
export function createBackground(
  env: Env,
  parts: {
    store: Store
    log: Log
    committer: CountedCommitter
    claim: Pick<DataDirClaim, 'wasAlone'>
    origin: () => string
    ingest: Ingest
    noteImport: () => Promise<unknown>
  },
): Background {
  const { store, log, committer, claim, origin, ingest, noteImport } = parts
  const { allowsPrivateUpstreams: allowsPrivate } = env
  return {
    retention: retentionOf(env, store, log),
    forwarder: createForwarder({
      ...parts,
      startedAlone: claim.wasAlone,
      allowsPrivate,
      random: Math.random,
    }),
    issueTimer: createIssueTimer({ store, log }),
    alertDecider: createAlertDecider({ store, log, hasMail: env.mail !== undefined }),
    alertDeliverer: createAlertDeliverer({ store, log, env, origin, random: Math.random }),
    mailCheck: createMailCheck({ mail: env.mail, log }),
    passwordLinkMailer: createPasswordLinkMailer({
      store,
      log,
      origin,
      hasProvider: env.oidc !== undefined,
      sender: linkSenderOf(env),
    }),
    monitorClock: createMonitorClock({
      store,
      log,
      isServerless: env.isServerless,
      ingest,
      uptime: { privateDestinations: env.privateDestinations, secondTarget: env.uptimeSecondTarget },
    }),
    heartbeat: createHeartbeat({
      store,
      log,
      origin,
      secret: env.secret,
      readItemCount: committer.itemCount,
    }),
    issueCreator: createIssueCreator(env),
    importRunner: new ImportRunner({ store, committer, log, env, origin, noteImport }),
  }
}

/** Stops all background work. */
export async function stopBackground(background: Pick<Background, keyof Background>): Promise<void> {
  await Promise.all(Object.values(background).map(async (each) => each.stop()))
}

/** Registers the metrics of the background work. */
export function measureBackground(
  { registry }: ServerMetrics,
  store: Store,
  { heartbeat, alertDecider, alertDeliverer }: Background,
): void {
  measureForwarding(registry, store)
  measureProcesses(registry, heartbeat)
  measureReplica(registry, store)
  const { decisionCounts, countDropped } = alertDecider
  const { attemptCounts } = alertDeliverer
  measureAlerts(registry, store, { decisionCounts, countDropped, attemptCounts })
}

/** Creates the retention that keeps the database below the operator's limit. */
function retentionOf({ maxBytes, isServerless }: Env, store: Store, log: Log): RetentionRunner {
  const runner = createRetentionRunner({ store, log, maxBytes, random: Math.random })
  // A serverless host would suspend it midway: there, the cron route runs retention.
  return isServerless ? { ...runner, runNow: () => undefined } : runner
}

/** Sends links by the operator's mail server; undefined if there is none. */
function linkSenderOf({ mail }: Env): LinkSender | undefined {
  if (mail === undefined) return undefined
  const sender = createMailSender(mail)
  return {
    async send(link) {
      const { verdict, answerExcerpt } = await sender.send(toPasswordMail({ ...link, domain: sender.domain }))
      if (verdict === 'delivered') return undefined
      return { text: answerExcerpt ?? '', canRetry: verdict === 'retry' }
    },
    close: () => sender.close(),
  }
}
