import type { Role } from '#server/auth/roles.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { loadConsole } from '#server/http/console-app.ts'
import { buildConsole } from './built-console.ts'
import { postEnvelope } from './post-envelope.ts'
import { addUser, cookieOf } from './session.ts'
import { startServer, type TestServer, type TestServerOptions } from './start-server.ts'

const roles = ['viewer', 'member', 'admin'] as const satisfies Role[]

/** The accounts: one of each role in the first organization, and the owner of another one. */
export type TestPerson = (typeof roles)[number] | 'outsider'

type FormFields = Record<string, string> | [string, string][] | FormData | Blob

/** The built console with an empty store and signed-in users. */
export interface TestConsole extends TestServer {
  /** Requests a page like a browser, without following redirects. */
  open(person: TestPerson, path: string, init?: { signal: AbortSignal }): Promise<Response>
  /** Posts a form to a page like a browser without JavaScript, without following redirects. */
  postTo(person: TestPerson, path: string, fields: FormFields): Promise<Response>
  /** Posts a form to an action in the same way. */
  post(person: TestPerson, action: keyof typeof actions, fields: FormFields): Promise<Response>
  /** Sends events to `fixtureProject`, one after another. Throws if one is not accepted. */
  send(...events: object[]): Promise<void>
  /** The rows of a statement, their values separated by a space. */
  read(sql: string): string[]
}

/** Builds the console unless it is built, and starts it without users. */
export async function startConsole(options: Omit<TestServerOptions, 'loadApp'> = {}): Promise<TestServer> {
  const root = await buildConsole()
  return startServer({ ...options, loadApp: (services) => loadConsole(root, services) })
}

/** The same with these environment variables and users. */
export async function startTestConsole(variables: Record<string, string> = {}): Promise<TestConsole> {
  const server = await startConsole({ variables })
  const { origin, services } = server
  const cookies = await addPeople(server)
  const postTo: TestConsole['postTo'] = (person, path, fields) =>
    fetch(origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: cookies[person],
        'sec-fetch-site': 'same-origin',
        referer: `${origin}/issues`,
      },
      body: fields instanceof FormData || fields instanceof Blob ? fields : new URLSearchParams(fields),
    })
  return {
    ...server,
    open: (person, path, init) =>
      fetch(origin + path, {
        ...init,
        redirect: 'manual',
        headers: { accept: 'text/html', cookie: cookies[person] },
      }),
    postTo,
    post: (person, action, fields) => postTo(person, actions[action].url, fields),
    send: async (...events) => {
      for (const event of events) await sendEvent(origin, event)
    },
    read: (sql) =>
      services.store.connection
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join(' ')),
  }
}

async function addPeople({ origin, services }: TestServer): Promise<Record<TestPerson, string>> {
  const { store } = services
  const userOf = (name: TestPerson) => ({
    name,
    email: `${name}@example.com`,
    password: 'a password for tests',
  })
  store.connection.exec(
    `INSERT INTO organizations (id, slug, name, created_at) VALUES (2, 'other', 'Other', 0)`,
  )
  await addUser(store, { ...userOf('outsider'), organizationId: 2 })
  for (const role of roles) await addUser(store, userOf(role), role)
  const cookie = (person: TestPerson) => cookieOf(origin, userOf(person))
  return {
    outsider: await cookie('outsider'),
    viewer: await cookie('viewer'),
    member: await cookie('member'),
    admin: await cookie('admin'),
  }
}

async function sendEvent(origin: string, event: object): Promise<void> {
  const body = `{}\n{"type":"event"}\n${JSON.stringify(event)}`
  const { status } = await postEnvelope(origin, body)
  if (status !== 200) throw new Error(`the event was answered ${status}`)
}
