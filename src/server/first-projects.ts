import type { KeyRow } from './store/projects/key-changes.ts'
import { createProject, listProjectNames } from './store/projects/projects.ts'
import type { Store } from './store/store.ts'

/** The project for Culvert's own errors. The id is fixed: the application's SDK reports to it. */
export const builtInProjectId = 1

/**
 * Creates the built-in project and one for events if they are missing. The server and the command line call
 * it at every opening of a store.
 */
export async function ensureFirstProjects(store: Store): Promise<void> {
  try {
    await createFirstProjects(store)
  } catch (error) {
    // Another process may have created the projects at the same time.
    if ((await listProjectNames(store.db)).length === 0) throw error
    await createFirstProjects(store)
  }
}

async function createFirstProjects(store: Store): Promise<void> {
  const projects = await listProjectNames(store.db)
  if (!projects.some((project) => project.id === builtInProjectId)) {
    await createProject(store, { id: builtInProjectId, name: 'Culvert', isBuiltIn: true })
  }
  if (projects.every((project) => project.id === builtInProjectId)) {
    await createProject(store, { id: builtInProjectId + 1, name: 'App' })
  }
}

/** True for the only active key of the built-in project, which Culvert uses for its own errors. */
export function isNeededKey(
  { projectId, publicKey }: Pick<KeyRow, 'projectId' | 'publicKey'>,
  keys: readonly KeyRow[],
): boolean {
  return (
    projectId === builtInProjectId &&
    !keys.some((key) => key.projectId === projectId && key.isActive && key.publicKey !== publicKey)
  )
}
