import { afterAll, beforeAll } from 'vitest'
import { buildConsole } from './built-console.ts'
import { runCulvert, startServerProcess, type ServerProcess } from './server-process.ts'
import { addOwnerIn, cookieOf } from './session.ts'
import { fixtureProject } from './start-server.ts'
import { createTempDir, type TempDir } from './temp-dir.ts'

/** The server of a test file, as an operator starts it: set before the first test, stopped after the last. */
export interface FileProcess {
  server: ServerProcess
  dataDir: TempDir
}

/** The same with the console. */
export interface FileConsole extends FileProcess {
  /** The owner's. */
  cookie: string
  /** The folder of the build. */
  folder: string
}

/** Starts ingest with `fixtureProject`. Read the result in tests only. */
export function prepareIngestProcess(): FileProcess {
  return prepareProcess(async (dataDir) => {
    const { id, name, publicKey } = fixtureProject
    const args = ['project', 'add', name, '--id', String(id), '--key', publicKey]
    await runCulvert(args, { CULVERT_DATA_DIR: dataDir.path })
    return { dataDir, server: await startServerProcess({ dataDir: dataDir.path }) }
  })
}

/** Starts the built console with an owner. Read the result in tests only. */
export function prepareConsoleProcess(): FileConsole {
  return prepareProcess(async (dataDir) => {
    const folder = await buildConsole()
    await addOwnerIn(dataDir.path)
    const server = await startServerProcess({ dataDir: dataDir.path, args: [] })
    return { dataDir, server, folder, cookie: await cookieOf(server.origin) }
  })
}

function prepareProcess<T extends FileProcess>(start: (dataDir: TempDir) => Promise<T>): T {
  const started = {} as T
  beforeAll(async () => void Object.assign(started, await start(await createTempDir())), 120_000)
  afterAll(async () => {
    await started.server.end('SIGTERM')
    await started.dataDir.remove()
  })
  return started
}
