import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore } from '#server/store/store.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import { benchEnvelopePath, benchProject } from '../support/project.ts'
import { readProperty } from '../support/run-child.ts'
import { readPageTree } from './page-tree.ts'
import { cores, spawnPinned, stopProcess } from './pinned-process.ts'

/** A server of pages, in its own process. */
export interface PageServer {
  origin: string
  pid: number
  /** The session of a signed-in user; absent if none is required. */
  cookie?: string
  stop(): Promise<void>
}

const issueCount = 60
const eventCount = 200

/** The built Culvert, with 200 events of 60 issues received over HTTP. */
export async function startCulvert(): Promise<PageServer> {
  const dataDir = await createTempDir()
  const path = join(dataDir.path, 'culvert.db')
  const store = await openStore({ path, clock: Date.now })
  await createProject(store, { name: 'Web shop', ...benchProject })
  await addUser(store)
  await store.close()
  const culvert = join(import.meta.dirname, '../../dist/program/program.js')
  // As `npm start` runs it.
  const server = await startServer(['--max-semi-space-size=16', culvert, 'start'], dataDir)
  const cookie = await cookieOf(server.origin)
  for (const body of pickEnvelopes()) await sendEnvelope(server.origin, body)
  return { ...server, cookie }
}

/** The baseline of a page, with the same content: see `floor-server.ts`. */
export async function startFloor(html: string): Promise<PageServer> {
  const dataDir = await createTempDir()
  const tree = join(dataDir.path, 'tree.json')
  await writeFile(tree, JSON.stringify(readPageTree(html)))
  return startServer([join(import.meta.dirname, 'floor-server.ts'), tree], dataDir)
}

async function startServer(args: string[], dataDir: TempDir): Promise<PageServer> {
  const child = spawnPinned(cores.server, args, { CULVERT_DATA_DIR: dataDir.path })
  return {
    origin: String(await readProperty(child, 'address')),
    pid: child.pid ?? 0,
    async stop() {
      await stopProcess(child)
      await dataDir.remove()
    },
  }
}

/** One event of each issue, then further events of random ones. */
function pickEnvelopes(): Buffer[] {
  const envelopesOf = Map.groupBy(createSampleEnvelopes({ count: 3_000, seed: 1 }), ({ bytes }) =>
    issueOf(bytes),
  )
  const issues = [...envelopesOf.values()].slice(0, issueCount)
  const first = issues.flatMap((envelopes) => envelopes.slice(0, 1))
  const more = issues.flatMap((envelopes) => envelopes.slice(1))
  return [...first, ...more].slice(0, eventCount).map(({ bytes, idOffsets }) => {
    const eventId = randomBytes(16).toString('hex')
    for (const offset of idOffsets) bytes.write(eventId, offset, 'latin1')
    return bytes
  })
}

function issueOf(bytes: Buffer): string {
  return /"type":"(Issue[0-9]+Error)"/.exec(bytes.toString())?.[1] ?? ''
}

async function sendEnvelope(origin: string, body: Buffer): Promise<void> {
  const answer = await fetch(origin + benchEnvelopePath, { method: 'POST', body: new Uint8Array(body) })
  if (!answer.ok) throw new Error(`an event was answered ${answer.status}`)
  await answer.arrayBuffer()
}
