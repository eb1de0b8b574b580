import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findAttachmentDownload } from '#server/console/events/downloads.ts'
import { limits } from '#server/limits.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { getEventView } from '#test/event-view.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'
import { testViewer } from '#test/test-store.ts'

const { id, publicKey } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

function send(body: string | Uint8Array): Promise<Response> {
  return postEnvelope(server.origin, body)
}

/** An envelope item with these bytes. */
function fileItem(bytes: Uint8Array, header: Record<string, unknown> = {}): Buffer {
  const line = JSON.stringify({ type: 'attachment', length: bytes.byteLength, ...header })
  return Buffer.concat([Buffer.from(`${line}\n`), bytes, Buffer.from('\n')])
}

const only = (eventId: string, ...files: Buffer[]) =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ event_id: eventId })}\n`), ...files])
const withEvent = (eventId: string, ...files: Buffer[]) =>
  Buffer.concat([Buffer.from(`${errorEnvelope({ eventId })}\n`), ...files])

function upload(eventId: string, body: FormData | string, init: RequestInit = {}): Promise<Response> {
  const path = `/api/${id}/events/${eventId}/attachments/?sentry_key=${publicKey}`
  return fetch(server.origin + path, { method: 'POST', body, ...init })
}

function formOf(...files: [name: string, text: string][]): FormData {
  const form = new FormData()
  form.set('note', 'no file')
  for (const [name, text] of files) form.append('file', new Blob([text], { type: 'text/plain' }), name)
  return form
}

const counted = (projectId: number = id) => countedOutcomes(server.services.store, projectId)
const filesOf = async (eventId: string) =>
  (await getEventView(server.services, testViewer, eventId)).attachments

async function download(eventId: string, number: number): Promise<Buffer> {
  const file = await findAttachmentDownload(server.services, testViewer, { eventId, number: String(number) })
  return Buffer.from(file?.bytes ?? [])
}

describe('attachments', () => {
  it('are stored with their event, byte for byte, whatever their content', async () => {
    const eventId = randomEventId()
    const binary = Buffer.concat([Buffer.from('\r\n\0{"type":"event"}\n'), randomBytes(70_000)])
    const png = { filename: 'shot.png', content_type: 'image/png; q=1', attachment_type: 'event.attachment' }
    const response = await send(withEvent(eventId, fileItem(binary, png), fileItem(new Uint8Array())))
    expect([response.status, await response.json()]).toEqual([200, { id: eventId }])
    expect(await filesOf(eventId)).toEqual([
      { number: 1, name: 'shot.png', contentType: 'image/png', byteCount: binary.length },
      { number: 2, name: 'attachment', contentType: 'application/octet-stream', byteCount: 0 },
    ])
    expect(await download(eventId, 1)).toEqual(binary)
    expect(await counted()).toEqual({ 'error accepted': 1, 'attachment accepted': 2 })
  })

  it('may arrive before their event, after it, and twice', async () => {
    const eventId = randomEventId()
    const log = fileItem(Buffer.from('log'), { filename: 'a.log' })
    await send(only(eventId, log))
    await send(withEvent(eventId, log))
    await send(only(eventId, fileItem(Buffer.from('more'), { filename: 'b.log' })))
    expect((await filesOf(eventId)).map(({ name }) => name)).toEqual(['a.log', 'b.log'])
    expect(await counted()).toMatchObject({ 'attachment accepted': 2, 'attachment invalid duplicate': 1 })
  })

  it('may have any names and types', async () => {
    const eventId = randomEventId()
    const names = [
      '../../../etc/passwd',
      '<img src=x onerror=alert(1)>',
      'a\r\nb\0\ud800',
      'n'.repeat(9_000),
      7,
    ]
    const items = names.map((filename, index) =>
      fileItem(Buffer.from(String(index)), {
        filename,
        content_type: 'text/html"><script>',
        attachment_type: {},
      }),
    )
    expect((await send(withEvent(eventId, ...items))).status).toBe(200)
    const kept = await filesOf(eventId)
    expect(kept.map(({ name }) => name.slice(0, 30))).toEqual([
      '../../../etc/passwd',
      '<img src=x onerror=alert(1)>',
      'a b \ufffd',
      'n'.repeat(30),
      'attachment',
    ])
    expect(kept.every(({ name }) => name.length <= limits.attachmentNameCharacters)).toBe(true)
    expect(new Set(kept.map(({ contentType }) => contentType))).toEqual(new Set(['text/html']))
  })

  it('over a limit are counted, and the event is stored', async () => {
    const eventId = randomEventId()
    const large = Buffer.alloc(limits.attachmentBytes + 1)
    const many = Array.from({ length: limits.attachmentsPerEvent + 2 }, (_, n) =>
      fileItem(Buffer.from(`${n}`)),
    )
    expect((await send(withEvent(eventId, fileItem(large), ...many))).status).toBe(200)
    expect(await filesOf(eventId)).toHaveLength(limits.attachmentsPerEvent)
    expect(await counted()).toEqual({
      'error accepted': 1,
      'attachment accepted': limits.attachmentsPerEvent,
      'attachment invalid too_large': 3,
    })
  })

  it.each([
    [
      'a filtered event',
      {
        exception: {
          type: 'ResizeObserver',
          value: 'ResizeObserver loop completed with undelivered notifications.',
        },
        message: 'ResizeObserver loop completed with undelivered notifications.',
      },
      'attachment filtered ignored-error',
    ],
    ['a payload that is not JSON', '{"message":', 'attachment invalid invalid_json'],
    [
      'a transaction',
      { type: 'transaction', transaction: '/', timestamp: 1 },
      'attachment invalid feature_disabled',
    ],
  ])('share the outcome of %s', async (_what, event, outcome) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event)
    const item = Buffer.from(`{"type":"event"}\n${text}\n`)
    await send(only(randomEventId(), fileItem(Buffer.from('a')), item))
    expect(await counted()).toMatchObject({ [outcome]: 1 })
    expect(await counted()).not.toHaveProperty(['attachment accepted'])
  })

  it('without an event are not attached to one', async () => {
    await send(Buffer.concat([Buffer.from('{}\n'), fileItem(Buffer.from('a'))]))
    expect(await counted()).toEqual({ 'attachment invalid no_event_payload': 1 })
  })

  it('are accepted from a real SDK', async () => {
    const file = 'node-10.75.2.attachment.02.event+attachment.body'
    const body = readFileSync(new URL(`../fixtures/envelopes/${file}`, import.meta.url))
    await send(body)
    const eventId = /"event_id":"([0-9a-f]{32})"/.exec(body.toString('latin1'))?.[1] ?? ''
    const kept = await filesOf(eventId)
    expect(kept[0]?.name).toBe('state.json')
    expect(await download(eventId, 1)).toHaveLength(kept[0]?.byteCount ?? -1)
    expect((await counted())['attachment accepted']).toBe(kept.length)
  })
})

describe('the endpoint for attachments', () => {
  it('accepts the files of a form', async () => {
    const eventId = randomEventId()
    await send(errorEnvelope({ eventId }))
    const response = await upload(eventId, formOf(['Größe.txt', 'a\r\nb'], ['b.log', '']))
    expect([response.status, await response.text()]).toEqual([201, ''])
    expect((await filesOf(eventId)).map(({ name }) => name)).toEqual(['Größe.txt', 'b.log'])
    expect(await download(eventId, 1)).toEqual(Buffer.from('a\r\nb'))
    expect(await counted()).toMatchObject({ 'attachment accepted': 2 })
    expect(await counted(otherProject.id)).toEqual({})
  })

  it.each([
    ['a body that is not a form', 415, 'text', { 'content-type': 'text/plain' }],
    ['a form without a boundary', 415, 'text', { 'content-type': 'multipart/form-data' }],
    ['a broken form', 400, '--a\r\ngarbage', { 'content-type': 'multipart/form-data; boundary=a' }],
    [
      'a form of a million parts',
      413,
      '--a\r\n'.repeat(200_000),
      { 'content-type': 'multipart/form-data; boundary=a' },
    ],
  ] as const)('refuses %s with %i', async (...[, status, body, headers]) => {
    const response = await upload(randomEventId(), body, { headers })
    expect(response.status).toBe(status)
    expect(await response.json()).toHaveProperty('detail')
    expect(await counted()).toEqual({})
  })

  it('rejects an invalid event id, a form without a file, and requests without a key', async () => {
    expect((await upload('../../../x', formOf(['a', 'a']))).status).toBe(404)
    expect((await upload('7', formOf(['a', 'a']))).status).toBe(400)
    expect((await upload(randomEventId(), formOf())).status).toBe(400)
    const path = `${server.origin}/api/${id}/events/${randomEventId()}/attachments/`
    expect((await fetch(path, { method: 'POST', body: formOf(['a', 'a']) })).status).toBe(401)
  })

  it('rejects a part with more header lines than any client writes', async () => {
    const headers = `${'X: y\r\n'.repeat(10_000)}Content-Disposition: form-data; name="a"; filename="a"`
    const response = await fetch(
      `${server.origin}/api/${id}/events/${randomEventId()}/attachments/?sentry_key=${publicKey}`,
      {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: `--b\r\n${headers}\r\n\r\nx\r\n--b--\r\n`,
      },
    )
    expect([response.status, await response.json()]).toEqual([400, { detail: 'invalid multipart data' }])
  })

  it('answers minidumps with "not supported"', async () => {
    const response = await fetch(`${server.origin}/api/${id}/minidump/?sentry_key=${publicKey}`, {
      method: 'POST',
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: expect.stringContaining('minidumps') as unknown })
  })
})
