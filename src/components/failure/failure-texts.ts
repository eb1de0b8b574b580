import { appConfig } from '../../../app.config.ts'

/** Where the error happened. */
export type FailureSide = 'server' | 'client'

const { serverSentence, clientSentence } = appConfig.failurePage

/** Where the event of a digest is looked up. Plain links lead there, because the router may be what broke. */
export function eventPath(digest: string): string {
  return `/digest/${digest}`
}

/** The one sentence that a failure page says about an error. */
export function failureSentence(side: FailureSide): string {
  return side === 'server' ? serverSentence : clientSentence
}
