import { request, type IncomingMessage, type ServerResponse } from 'node:http'

const passed = ['content-type', 'content-encoding', 'content-length', 'origin', 'user-agent'] as const

/** The handler that docs/tunnel.md gives for Express, for a request of Node's, which is what Express's is. */
export function passOn(culvert: string, req: IncomingMessage, res: ServerResponse): void {
  const { search } = new URL(req.url ?? '', 'http://localhost')
  const headers: Record<string, string> = { 'x-forwarded-for': req.socket.remoteAddress ?? '' }
  for (const name of passed) {
    const value = req.headers[name]
    if (value !== undefined) headers[name] = value
  }
  const sent = request(`${culvert}/monitoring${search}`, { method: 'POST', headers }, (answer) => {
    const limits = answer.headers['x-sentry-rate-limits']
    res.writeHead(
      answer.statusCode ?? 502,
      limits === undefined ? {} : { 'x-sentry-rate-limits': String(limits) },
    )
    answer.pipe(res)
  })
  sent.on('error', () => res.writeHead(502).end())
  req.pipe(sent)
}
