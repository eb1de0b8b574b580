import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http'

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Creates the response class of a front: once `isStopping` returns true, each response has `Connection:
 * close`, regardless of its handler. A client that sees the header sends its next request to another server;
 * one whose connection just ends may have sent it already.
 */
export function createResponseClass(isStopping: () => boolean): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    /** Node also calls it for an answer without an explicit head. */
    override writeHead(statusCode: number, reasonOrHead?: string | Head, head?: Head): this {
      if (isStopping()) this.shouldKeepAlive = false
      return typeof reasonOrHead === 'string'
        ? super.writeHead(statusCode, reasonOrHead, head)
        : super.writeHead(statusCode, reasonOrHead ?? head)
    }
  }
}
