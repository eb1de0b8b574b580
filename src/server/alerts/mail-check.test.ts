import { createServer } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { parseSmtpUrl } from '#server/mail-settings.ts'
import { findFreePort, listenLocally } from '#test/listen-locally.ts'
import { startSmtpReceiver } from '#test/smtp-receiver.ts'
import { createMailCheck } from './mail-check.ts'

/** A check of a server on this machine, and the messages that it logs. */
function checkOf(port: number, login = '') {
  const messages: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void messages.push(line) })
  const server = parseSmtpUrl(`smtp://${login}127.0.0.1:${port}`)
  if (server === undefined) throw new Error('the address of the server is wrong')
  const mail = { server, from: 'culvert@culvert.example' }
  const check = createMailCheck({ mail, log, delays: { failing: 20, working: 20 } })
  onTestFinished(() => check.stop())
  return { check, messages }
}

it('reports a mail server that is not running, once, and that it accepts mail again', async () => {
  const port = await findFreePort()
  const { check, messages } = checkOf(port)
  expect(check.server).toBe(`127.0.0.1:${port}`)
  check.start()
  await expect.poll(() => check.findProblem()).toMatch(/cannot be used: .*ECONNREFUSED/)
  const again = await startSmtpReceiver({}, port)
  onTestFinished(() => again.close())
  await expect.poll(() => check.findProblem()).toBeUndefined()
  await expect.poll(() => messages.length).toBe(2)
  expect(messages[0]).toMatch(/"level":40.*CULVERT_SMTP_URL/)
  expect(messages[1]).toContain('accepts mail again')
  expect(again.mails).toEqual([])
})

it('reports a wrong password, and never shows it', async () => {
  const receiver = await startSmtpReceiver()
  onTestFinished(() => receiver.close())
  const { check, messages } = checkOf(receiver.port, 'ada:wrong-password@')
  check.start()
  await expect.poll(() => check.findProblem()).toMatch(/535/)
  expect(`${check.findProblem()} ${messages.join('')}`).not.toContain('wrong-password')
})

it('waits neither at the start nor at the end for a server that does not answer', async () => {
  let connectionCount = 0
  const silent = createServer((socket) => {
    connectionCount += 1
    socket.on('error', () => undefined)
  })
  const port = await listenLocally(silent)
  onTestFinished(() => void silent.close())
  const { check, messages } = checkOf(port)
  check.start()
  expect(check.findProblem()).toBeUndefined()
  await expect.poll(() => connectionCount).toBe(1)
  await check.stop()
  expect(messages).toEqual([])
})

it('does nothing without a mail server', async () => {
  const check = createMailCheck({ mail: undefined, log: pino({ level: 'silent' }) })
  check.start()
  expect([check.server, check.findProblem()]).toEqual([undefined, undefined])
  await check.stop()
})
