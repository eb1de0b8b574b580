import { sql } from 'kysely'
import type { Role } from '#server/auth/roles.ts'
import type { Store } from '#server/store/store.ts'
import { addUser, signInAt } from '#test/session.ts'
import { addProject, type Culvert } from './culvert.ts'

let count = 0

/**
 * Creates an organization on a shared Culvert: its owner, to whom the session belongs, sees no other
 * organization. `createProject` and `createUser` add to it, and `stop` frees the names of its projects and
 * the addresses of its members.
 */
export async function openOrganization(culvert: Culvert): Promise<Culvert> {
  const organizationId = await culvert.withStore(({ store }) => insertOrganization(store))
  const join = (role: Role, person: { name: string; email: string; password: string }) =>
    culvert.withStore(({ store }) => addUser(store, { ...person, organizationId }, role))
  const owner = {
    name: 'Ada Owner',
    email: `owner-${organizationId}@example.com`,
    password: 'a password for tests',
  }
  await join('owner', owner)
  return {
    ...culvert,
    session: await signInAt(culvert.origin, owner),
    createProject: (name) => culvert.withStore((opened) => addProject(opened, { name, organizationId })),
    async createUser(email, password, role = 'member') {
      await join(role, { name: email, email, password })
    },
    stop: () => culvert.withStore(({ store }) => freeNames(store, organizationId)),
  }
}

async function insertOrganization({ writer, clock }: Store): Promise<number> {
  count += 1
  const { id } = await writer
    .insertInto('organizations')
    .values({
      id: sql<number>`(select coalesce(max(id), 0) + 1 from organizations)`,
      slug: `organization-${count}`,
      name: `Organization ${count}`,
      created_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function freeNames({ writer }: Store, organizationId: number): Promise<void> {
  const members = writer
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
  await writer
    .updateTable('projects')
    .set({ slug: sql`slug || '-of-' || organization_id` })
    .where('organization_id', '=', organizationId)
    .execute()
  await writer
    .updateTable('users')
    .set({ email: sql`id || '@gone.example'` })
    .where('id', 'in', members)
    .execute()
}
