import { toPlainLine } from '#server/alerts/channels/plain-text.ts'
import type { AlertAnswer } from '#server/alerts/message.ts'
import { errorCode, errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'

/** The operator's user name or password is wrong, or TLS is missing (RFC 4954 §6). Retried. */
const authenticationCodes = new Set([454, 530, 534, 535, 538])

/** The mailbox does not exist (RFC 3463 §3.2 and §3.3, and its registry at IANA). */
const goneAddress = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/

/**
 * Decides how to continue after a failed attempt to send a mail, by the codes of RFC 5321 §4.2 and RFC 3463.
 * Pure.
 */
export function judgeMailError(error: unknown): AlertAnswer {
  const { responseCode, response, command } = readError(error)
  const answerExcerpt = toPlainLine(response ?? errorMessage(error), limits.channelAnswerCharacters)
  const judged = { ...(responseCode !== undefined && { status: responseCode }), answerExcerpt }
  // No answer: the server is unreachable, does not respond, or has closed the connection.
  if (responseCode === undefined || responseCode < 500) return { ...judged, verdict: 'retry' }
  const isOperators =
    errorCode(error) === 'EAUTH' ||
    authenticationCodes.has(responseCode) ||
    /^(?:MAIL FROM|STARTTLS|HELO|EHLO|CONN)/.test(command)
  if (isOperators) return { ...judged, verdict: 'retry' }
  return { ...judged, verdict: goneAddress.test(answerExcerpt) ? 'disabled' : 'rejected' }
}

function readError(error: unknown) {
  const fields = typeof error === 'object' && error !== null ? error : {}
  return {
    responseCode:
      'responseCode' in fields && typeof fields.responseCode === 'number' ? fields.responseCode : undefined,
    response: 'response' in fields && typeof fields.response === 'string' ? fields.response : undefined,
    command: 'command' in fields && typeof fields.command === 'string' ? fields.command : '',
  }
}
