import { createMember } from '#server/auth/new-accounts.ts'
import type { Store } from '#server/store/store.ts'
import { signInAt } from '../../support/session.ts'
import { addProject, type Culvert } from './culvert.ts'

let count = 0

/**
 * Makes an organization on a Culvert that others use, too: its owner, whose session it is, sees nothing of
 * theirs. `createProject` and `createUser` are its own, and `stop` frees the names of its projects and the
 * addresses of its members for the next one.
 */
export async function openOrganization(culvert: Culvert): Promise<Culvert> {
  const organizationId = await culvert.withStore(async ({ store }) => insertOrganization(store))
  const join = (role: 'owner' | 'member', person: { name: string; email: string; password: string }) =>
    culvert.withStore(({ store }) => createMember(store, { ...person, role, organizationId }))
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
    async createUser(email, password) {
      await join('member', { name: email, email, password })
    },
    stop: () => culvert.withStore(async ({ store }) => freeNames(store, organizationId)),
  }
}

function insertOrganization({ sqlite, clock }: Store): number {
  count += 1
  const { lastInsertRowid } = sqlite
    .prepare('INSERT INTO organizations (slug, name, created_at) VALUES (?, ?, ?)')
    .run(`organization-${count}`, `Organization ${count}`, clock())
  return Number(lastInsertRowid)
}

function freeNames({ sqlite }: Store, organizationId: number): void {
  sqlite
    .prepare(`UPDATE projects SET slug = slug || '-of-' || organization_id WHERE organization_id = ?`)
    .run(organizationId)
  sqlite
    .prepare(
      `UPDATE users SET email = id || '@gone.example'
       WHERE id IN (SELECT user_id FROM memberships WHERE organization_id = ?)`,
    )
    .run(organizationId)
}
