import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import {
  createAccountLink,
  deleteAccountLink,
  deleteOtherPasswordLinks,
} from '#server/store/accounts/links.ts'
import { findUserByEmail, hasPassword, type UserName } from '#server/store/accounts/users.ts'
import type { Store } from '#server/store/store.ts'
import { createSignInThrottle } from './sign-in/throttle.ts'

/** Mails links for a new password to users who have forgotten theirs. */
export interface PasswordLinkMailer {
  /** False without a mail server. */
  readonly isAvailable: boolean
  /**
   * Notes a request. The account is looked up after the answer, so that neither its content nor its time
   * depends on whether there is one. A mail that the mail server does not accept for now is sent again at
   * `limits.passwordMailRetriesMs`. `email` is in lower case.
   */
  request(email: string): void
  /** Works on the requests now, for a host that suspends its instances. Waits at most `awaitMs`. */
  deliver(awaitMs: number): Promise<void>
  /** Works on the requests for a moment, then aborts the mail in flight. */
  stop(): Promise<void>
}

/** The mail server. */
export interface LinkSender {
  /** Returns undefined if the mail server has accepted the mail. */
  send(link: { to: string; url: string }): Promise<LinkMailProblem | undefined>
  close(): void
}

/** Why the mail server did not accept a mail. */
export interface LinkMailProblem {
  /** The answer of the mail server. */
  text: string
  /** False if the address does not exist, or its owner's server rejects the mail. */
  canRetry: boolean
}

export interface PasswordLinkMailerOptions {
  store: Store
  log: Log
  /** The public origin. The links never contain the host name of a request, which its sender chooses. */
  origin: () => string
  /** Users without a password sign in at an identity provider: they get no link. */
  hasProvider: boolean
  /** Absent without a mail server. */
  sender: LinkSender | undefined
  delayMs?: number
  retriesMs?: readonly number[]
}

/** Creates a mailer with an empty queue. */
export function createPasswordLinkMailer(options: PasswordLinkMailerOptions): PasswordLinkMailer {
  const { sender, log, delayMs = limits.passwordMailDelayMs } = options
  const { retriesMs = limits.passwordMailRetriesMs } = options
  const mail = createLinkMail(options)
  const waiting: { email: string; failureCount: number }[] = []
  /** The timers of mails that are sent again, by address. */
  const retries = new Map<string, NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let isStopped = false

  const mailAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await mail(next.email).catch((error: unknown) => {
        log.error({ err: error }, 'a request for a mailed link for a new password failed')
        return 'retry' as const
      })
      if (result === 'retry') retryLater(next)
    }
  }
  const retryLater = ({ email, failureCount }: { email: string; failureCount: number }) => {
    const retryMs = retriesMs[failureCount]
    if (isStopped || retryMs === undefined || retries.has(email)) return
    const retry = setTimeout(() => {
      retries.delete(email)
      waiting.push({ email, failureCount: failureCount + 1 })
      void begin()
    }, retryMs)
    retries.set(email, retry.unref())
  }
  const begin = () => {
    clearTimeout(timer)
    timer = undefined
    working ??= mailAll().finally(() => {
      working = undefined
    })
    return working
  }
  const deliver = async (awaitMs: number) => {
    if (waiting.length === 0 && working === undefined) return
    const ended = new AbortController()
    const wait = sleep(awaitMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined)
    await Promise.race([begin(), wait])
    ended.abort()
  }
  return {
    isAvailable: sender !== undefined,
    request(email) {
      if (sender === undefined || isStopped) return
      if (waiting.length + retries.size >= limits.waitingPasswordMails) return
      // The new request replaces the retry, which would mail a second link after it.
      clearTimeout(retries.get(email))
      retries.delete(email)
      waiting.push({ email, failureCount: 0 })
      timer ??= setTimeout(() => void begin(), delayMs).unref()
    },
    deliver,
    async stop() {
      isStopped = true
      await deliver(limits.passwordMailStopMs)
      waiting.length = 0
      clearTimeout(timer)
      for (const retry of retries.values()) clearTimeout(retry)
      sender?.close()
      await working
    },
  }
}

/**
 * Returns the function that mails a link to the account with an address, if there is one. It returns `retry`
 * if the mail server does not accept the mail for now.
 */
function createLinkMail(options: PasswordLinkMailerOptions): (email: string) => Promise<'done' | 'retry'> {
  const { store, log, origin, sender } = options
  const throttle = createSignInThrottle(store)

  const send = async (user: UserName): Promise<LinkMailProblem | undefined> => {
    const lifetimeMs = limits.mailedPasswordLinkMs
    const token = await createAccountLink(store, {
      purpose: { kind: 'password', userId: user.id },
      lifetimeMs,
    })
    const problem = await sender?.send({ to: user.email, url: `${origin()}/password/${token}` })
    if (problem === undefined) {
      // Only now: as long as the user does not get this link, an earlier one continues to work.
      await deleteOtherPasswordLinks(store, { userId: user.id, token })
      return undefined
    }
    await deleteAccountLink(store, token)
    // A mail server may repeat the link that it rejects.
    return { ...problem, text: problem.text.replaceAll(token, '[Filtered]') }
  }
  return async (email) => {
    const user = await findReceiver(options, email)
    if (user === undefined) return 'done'
    const started = await throttle.begin([{ rule: 'passwordMail', text: user.id }])
    if (started.kind === 'wait') return 'done'
    const problem = await send(user).catch(async (error: unknown) => {
      await started.cancel()
      throw error
    })
    if (problem === undefined) return 'done'
    log.warn({ userId: user.id, answer: problem.text }, 'a link for a new password could not be mailed')
    if (!problem.canRetry) return 'done'
    await started.cancel()
    return 'retry'
  }
}

async function findReceiver(
  { store, hasProvider }: PasswordLinkMailerOptions,
  email: string,
): Promise<UserName | undefined> {
  const user = await findUserByEmail(store.db, email)
  if (user === undefined || !hasProvider) return user
  return (await hasPassword(store.db, user.id)) ? user : undefined
}
