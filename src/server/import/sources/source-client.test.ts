import { createServer, type ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { serveLocally } from '#test/listen-locally.ts'
import { SourceClient } from './source-client.ts'

/** A client of a tracker that gives these answers, one for each request. */
async function connect(...answers: ((response: ServerResponse) => void)[]) {
  const server = createServer((_request, response) => answers.shift()?.(response))
  const { origin: url, close } = await serveLocally(server)
  onTestFinished(close)
  return new SourceClient({ url, token: 'token', report: () => {} })
}

it('an answer whose connection ends within its body is requested again', async () => {
  const client = await connect(
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('[{"id":', () => response.destroy())
    },
    (response) => response.end('[{"id":"1"}]'),
  )
  expect(await client.read('api/0/projects/')).toEqual([{ id: '1' }])
})

it('keeps all digits of 64-bit ids, as ingest does', async () => {
  const client = await connect((response) =>
    response.end('{"extra":{"order":1234567890123456789,"total":12.5},"line":7}'),
  )
  const extra = { order: '1234567890123456789', total: 12.5 }
  expect(await client.read('api/0/events/')).toEqual({ extra, line: 7 })
})
