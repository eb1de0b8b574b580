import { appConfig } from '../../../app.config.ts'

/** Where the error happened. */
export type FailureSide = 'server' | 'client'

const { serverSentence, clientSentence } = appConfig.failurePage

/** Returns the path that finds the event of a digest. Use plain links, because the router may have failed. */
export function eventPath(digest: string): string {
  return `/digest/${digest}`
}

/** Returns the sentence of a failure page, by the side of the error. */
export function failureSentence(side: FailureSide): string {
  return side === 'server' ? serverSentence : clientSentence
}
