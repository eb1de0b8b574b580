import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http'

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Makes the class of a front's answers: once `isStopping` says so, each carries `Connection: close`, whoever
 * writes it. A client that is told sends its next request elsewhere; one whose connection just ends may have
 * sent it already.
 */
export function createResponseClass(isStopping: () => boolean): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    /** Also what Node calls for an answer without an explicit head. */
    override writeHead(statusCode: number, reasonOrHead?: string | Head, head?: Head): this {
      if (isStopping()) this.shouldKeepAlive = false
      return typeof reasonOrHead === 'string'
        ? super.writeHead(statusCode, reasonOrHead, head)
        : super.writeHead(statusCode, reasonOrHead ?? head)
    }
  }
}
