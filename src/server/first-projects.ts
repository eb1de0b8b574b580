import type { KeyRow } from './store/projects/key-changes.ts'
import { createProject, listProjectNames } from './store/projects/projects.ts'
import type { Store } from './store/store.ts'

/** The project that watches Culvert itself. Its id is promised: the application's own SDK reports to it. */
export const builtInProjectId = 1

/**
 * Makes sure that the built-in project exists and that there is one more to send events to. Run at every
 * opening of a store, by the server and by the command line, so that both find the same projects whoever came
 * first.
 */
export async function ensureFirstProjects(store: Store): Promise<void> {
  try {
    await createFirstProjects(store)
  } catch (error) {
    // Another process may be doing the same: then its projects are there now, and this passes.
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

/** True for the only active key of the built-in project: Culvert reports its own errors with it. */
export function isNeededKey(
  { projectId, publicKey }: Pick<KeyRow, 'projectId' | 'publicKey'>,
  keys: readonly KeyRow[],
): boolean {
  return (
    projectId === builtInProjectId &&
    !keys.some((key) => key.projectId === projectId && key.isActive && key.publicKey !== publicKey)
  )
}
