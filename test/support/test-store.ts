import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Viewer } from '#server/auth/viewer.ts'
import type { OpenStoreOptions } from '#server/store/engine/store-parts.ts'
import { createCommitter, type Committer } from '#server/store/ingest/committer.ts'
import type { CommitEntry, EventRecord } from '#server/store/ingest/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { writeEmptyStore } from './empty-store.ts'
import { createPostgresDatabase } from './postgres-database.ts'
import { createTempDir } from './temp-dir.ts'

/** A fixed instant in the middle of an hour: 2026-11-21T12:30:00Z. */
export const testNow = Date.UTC(2026, 10, 21, 12, 30)

/** Every project that a test store may contain: the scope of a user with access to all of them. */
export const testProjectIds = Array.from({ length: 60 }, (_, index) => index + 1)

/** An owner with access to all of them. */
export const testViewer: Viewer = {
  userId: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  hasTwoFactor: false,
  hasShortcuts: true,
  sessionToken: '',
  memberships: [
    {
      organizationId: 1,
      organizationSlug: 'default',
      organizationName: 'Default',
      organizationCreatedAt: 0,
      role: 'owner',
      projectIds: testProjectIds,
    },
  ],
}

/** A folder for one test's files, removed after the test. */
export async function makeTestFolder(): Promise<string> {
  const folder = await createTempDir()
  onTestFinished(() => folder.remove())
  return folder.path
}

export interface TestStore extends Store {
  /** Opens the same file once more, like another process. */
  openAgain(): Promise<Store>
  /** Commits an envelope with these events. */
  commit: (...events: EventRecord[]) => ReturnType<Committer['commit']>
}

/** A real database file in a new folder, with the projects 1 `Web` and 2 `Api`; removed with the test. */
export async function openTestStore(options: Partial<OpenStoreOptions> = {}): Promise<TestStore> {
  const path = options.path ?? (await createTestDatabase())
  const open = async () => {
    const store = await openStore({ clock: () => testNow, ...options, path })
    onTestFinished(() => store.close())
    return store
  }
  const store = await open()
  await createProject(store, { id: 1, name: 'Web' })
  await createProject(store, { id: 2, name: 'Api' })
  let committer: Committer | undefined
  const commit = (...events: EventRecord[]) => {
    committer ??= createCommitter(store)
    return committer.commit(entryOf(...events))
  }
  return { ...store, openAgain: open, commit }
}

/** A database with the schema and nothing else, on the tested engine. */
async function createTestDatabase(): Promise<string> {
  const server = process.env['CULVERT_TEST_POSTGRES']
  if (server !== undefined) {
    const { url, drop } = await createPostgresDatabase(server)
    onTestFinished(drop)
    return url
  }
  const path = join(await makeTestFolder(), 'culvert.db')
  await writeEmptyStore(path)
  return path
}

/** 32 hex digits that depend on the text alone. */
export function testId(text: string): string {
  return createHash('md5').update(text).digest('hex')
}

/** An event of project 1 as ingest passes it to the store; `eventId` makes its id unique. */
export function makeEventRecord(fields: Partial<EventRecord> = {}): EventRecord {
  return {
    projectId: 1,
    eventId: testId('event'),
    category: 'error',
    groupHash: testId('group'),
    mechanism: 'v1',
    type: 'error',
    title: 'TypeError',
    subtitle: 'x is not a function',
    culprit: 'render(app.js)',
    level: 'error',
    platform: 'javascript',
    occurredAt: testNow,
    receivedAt: testNow,
    environment: 'production',
    tags: [],
    payload: Buffer.from(JSON.stringify({ event: fields.eventId ?? 'event' })),
    ...fields,
  }
}

/** The content of an envelope with these events. */
export function entryOf(...events: EventRecord[]): CommitEntry {
  return { events, outcomes: [], deadLetters: [] }
}

/** A user with access to one project. */
export function viewerOfProject(projectId: number): Viewer {
  const memberships = testViewer.memberships.map((each) =>
    Object.assign({}, each, { projectIds: [projectId] }),
  )
  return { ...testViewer, memberships }
}
