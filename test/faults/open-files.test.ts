import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { expectThroughout } from '#test/waiting.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { postEvent } from './support/load.ts'

const openFiles = 64
/** Fewer than the server has open itself. */
const tooFew = 16

let dataDir: string
let server: ServerProcess
beforeEach(async () => {
  dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  const wrapper = ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh']
  server = await startServerProcess({ dataDir, wrapper })
})
afterEach(async () => {
  if (server.child.exitCode === null) await server.end('SIGKILL')
})

/** Connects and sends nothing. */
async function openMany(count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(server.origin)
  const sockets = Array.from({ length: count }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  )
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
  return sockets
}

function countLogged(message: string): number {
  return server.log.filter((entry) => entry['msg'] === message).length
}

async function postOne(): Promise<number> {
  try {
    return (await postEvent(server.origin)).status
  } catch {
    return 0
  }
}

/** Accepts an event again, and exits with 0. */
async function expectToRecover(): Promise<void> {
  await expect.poll(postOne, { timeout: 10_000, interval: 100 }).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
}

describe('a server that may open 64 files', () => {
  it('closes connections before it runs out of file descriptors, logs it once, and accepts new ones when those are closed', async () => {
    const sockets = await openMany(200)
    await expect.poll(() => sockets.filter(({ closed }) => !closed).length).toBeLessThan(openFiles)
    await expect.poll(() => countLogged('too many connections, new ones are closed')).toBe(1)
    for (const socket of sockets) socket.destroy()
    await expectToRecover()
    expect(countLogged('a connection could not be accepted')).toBe(0)
  })
})

const canLower = spawnSync('prlimit', ['--version']).status === 0

describe(`a server that cannot open another file${canLower ? '' : ' (skipped: prlimit is missing)'}`, () => {
  it.skipIf(!canLower)('keeps running, and accepts connections again as soon as it can', async () => {
    const lower = (soft: number) =>
      spawnSync('prlimit', ['--pid', String(server.child.pid), `--nofile=${soft}:${openFiles}`]).status
    expect(lower(tooFew)).toBe(0)
    const sockets = await openMany(30)
    await expectThroughout(500, () => expect(server.child.exitCode).toBeNull())
    for (const socket of sockets) socket.destroy()
    expect(lower(openFiles)).toBe(0)
    await expectToRecover()
  })
})
