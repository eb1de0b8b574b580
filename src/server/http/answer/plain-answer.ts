import type { ServerResponse } from 'node:http'

/** Answers with one sentence as JSON. */
export function answerPlainly(response: ServerResponse, status: number, detail: string): void {
  answerJson(response, status, { detail })
}

/** Sends a small object as JSON, uncached and without content sniffing. */
export function answerJson(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  response.end(body)
}
