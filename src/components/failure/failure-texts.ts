import { appConfig } from '../../../app.config.ts'

/** Where the error happened. */
export type FailureSide = 'server' | 'client'

const { serverSentence, clientSentence } = appConfig.failurePage

/** The one sentence that a failure page says about an error. */
export function failureSentence(side: FailureSide): string {
  return side === 'server' ? serverSentence : clientSentence
}
