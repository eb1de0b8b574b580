import type { CheckReason, CheckSeen } from '#monitors/uptime.ts'
import { errorCode, errorMessage } from '#server/errors.ts'

/** A check received an unexpected response. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure'
  readonly reason: CheckReason
  readonly httpStatus: number | undefined

  /** `detail` is a sentence without its full stop. */
  constructor(reason: CheckReason, detail: string, httpStatus?: number) {
    super(detail)
    this.reason = reason
    this.httpStatus = httpStatus
  }
}

const tlsDetails: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate’s authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server does not send the complete certificate chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate’s authority is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host',
}

const connectionDetails: Readonly<Record<string, string>> = {
  ECONNRESET: 'The server closed the connection',
  EPIPE: 'The server closed the connection',
  EHOSTUNREACH: 'The host is unreachable',
  ENETUNREACH: 'The network is unreachable',
}

/** The reason why TLS failed, by the error code of Node or OpenSSL. */
export function describeTlsProblem(code: string): string {
  return tlsDetails[code] ?? `TLS failed (${code})`
}

/** Describes the error of a check, without any text from the checked server. */
export function toFailureSeen(error: unknown, timeoutSeconds: number): CheckSeen {
  if (error instanceof CheckFailure) {
    const { reason, message: detail, httpStatus } = error
    return { reason, detail, httpStatus }
  }
  const code = errorCode(error) ?? ''
  const name = error instanceof Error ? error.name : ''
  if (code === 'PRIVATE_ADDRESS') return { reason: 'forbidden', detail: errorMessage(error) }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return {
      reason: 'timeout',
      detail: `No response within ${timeoutSeconds === 1 ? 'a second' : `${timeoutSeconds} seconds`}`,
    }
  if (code === 'ENOTFOUND') return { reason: 'dns', detail: 'The host name has no address' }
  if (code === 'EAI_AGAIN' || code.startsWith('EAI_') || code === 'ESERVFAIL')
    return { reason: 'dns', detail: `The host name could not be resolved (${code})` }
  if (code === 'ECONNREFUSED') return { reason: 'refused', detail: 'The server refused the connection' }
  if (isTlsCode(code)) return { reason: 'tls', detail: describeTlsProblem(code) }
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR')
    return { reason: 'protocol', detail: `The response is not HTTP (${code})` }
  const detail = connectionDetails[code] ?? `The connection failed${code === '' ? '' : ` (${code})`}`
  return { reason: 'connection', detail }
}

function isTlsCode(code: string): boolean {
  if (code in tlsDetails || code === 'EPROTO') return true
  return /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)/.test(code)
}
