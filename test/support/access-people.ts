import { putMembership } from '#server/store/accounts/users.ts'
import { addUser, cookieOf } from './session.ts'
import { otherProject, type TestServer } from './start-server.ts'

/**
 * The users of access tests: `outsider` owns another organization, `elsewhere` is a member of this one with
 * access to another project only, and the others have a role.
 */
export const people = ['anonymous', 'outsider', 'elsewhere', 'viewer', 'member', 'admin', 'owner'] as const
export type AccessPerson = (typeof people)[number]

/** HTTP statuses by user. */
export type Statuses = Record<AccessPerson, number>

/** The same status for each of them. */
export const everybody = (status: number): Statuses => ({
  anonymous: status,
  outsider: status,
  elsewhere: status,
  viewer: status,
  member: status,
  admin: status,
  owner: status,
})

/** Requests of the people of a server. */
export interface AccessPeople {
  /** Sends a request as a page of the console would. */
  send: (person: AccessPerson, path: string, init?: RequestInit) => Promise<Response>
  statusesOf: (ask: (person: AccessPerson) => Promise<Response>) => Promise<Statuses>
}

const userOf = (name: AccessPerson) => ({
  name,
  email: `${name}@example.com`,
  password: 'a password for tests',
})

/** Adds them to a server, and signs them in. */
export async function addAccessPeople(server: TestServer): Promise<AccessPeople> {
  const cookies = new Map<AccessPerson, string>()
  const { store } = server.services
  store.connection.exec(
    `INSERT INTO organizations (id, slug, name, created_at) VALUES (2, 'other', 'Other', 0)`,
  )
  await addUser(store, { ...userOf('outsider'), organizationId: 2 })
  const userId = await addUser(store, userOf('elsewhere'), 'member')
  await store.writer.transaction().execute((tx) =>
    putMembership(tx, {
      organizationId: 1,
      userId,
      role: 'member',
      projectIds: [otherProject.id],
      at: store.clock(),
    }),
  )
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const) await addUser(store, userOf(role), role)
  for (const person of people) {
    if (person !== 'anonymous') cookies.set(person, await cookieOf(server.origin, userOf(person)))
  }
  return {
    send: (person, path, init = {}) => {
      const headers = new Headers(init.headers)
      const cookie = cookies.get(person)
      if (cookie !== undefined) headers.set('cookie', cookie)
      if (!headers.has('accept')) headers.set('accept', 'text/html')
      if (!headers.has('sec-fetch-site')) headers.set('sec-fetch-site', 'same-origin')
      return fetch(server.origin + path, { redirect: 'manual', ...init, headers })
    },
    statusesOf: async (ask) => {
      const statuses = everybody(0)
      for (const person of people) statuses[person] = (await ask(person)).status
      return statuses
    },
  }
}
