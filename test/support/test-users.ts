import type { Store } from '#server/store/store.ts'

/** Adds a user with access to every project of the first organization. */
export function addTestUser(
  store: Store,
  { userId, role = 'viewer' }: { userId: string; role?: string },
): void {
  const at = '2026-11-21T00:00:00.000Z'
  store.connection
    .prepare(
      `INSERT INTO users (id, name, email, email_verified, two_factor_enabled, created_at, updated_at)
       VALUES (?, ?, ?, 1, 0, ?, ?)`,
    )
    .run(userId, userId, `${userId}@example.com`, at, at)
  store.connection
    .prepare(
      `INSERT INTO memberships (organization_id, user_id, role, has_all_projects, created_at)
       VALUES (1, ?, ?, 1, 0)`,
    )
    .run(userId, role)
}
