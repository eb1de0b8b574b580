import { toProjectDsn } from '#server/project-dsn.ts'
import { listProjectKeys, listProjectNames } from '#server/store/projects/projects.ts'
import { readOptions, type Command } from '../command.ts'
import { withProjectStore, type ProjectStore } from './store.ts'

/** A project in the output of `--json`. `dsn` is absent if the project has no active key. */
export interface ListedProject {
  id: number
  slug: string
  name: string
  dsn?: string
}

/** `culvert project list`: lists all projects with their DSN, as a table or as JSON. */
export const projectList: Command = async (args, context) => {
  const { values } = readOptions('culvert project list [--json]', args, { json: { type: 'boolean' } })
  const projects = await withProjectStore(context, listProjects)
  context.print(values.json === true ? `${JSON.stringify(projects, null, 2)}\n` : toTable(projects))
}

async function listProjects({ store, origin }: ProjectStore): Promise<ListedProject[]> {
  const keys = (await listProjectKeys(store.db)).filter((key) => key.isActive)
  const projects = await listProjectNames(store.db)
  return projects.map(({ id, slug, name }) => {
    const key = keys.find(({ projectId }) => projectId === id)
    return key === undefined ? { id, slug, name } : { id, slug, name, dsn: toProjectDsn(origin, key) }
  })
}

function toTable(projects: ListedProject[]): string {
  const idWidth = Math.max(2, ...projects.map(({ id }) => String(id).length))
  const nameWidth = Math.max(4, ...projects.map(({ name }) => name.length))
  const rows = projects.map(({ id, name, dsn = '(no active key)' }) => [String(id), name, dsn] as const)
  return [['id', 'name', 'DSN'] as const, ...rows]
    .map(([id, name, dsn]) => `${id.padStart(idWidth)}  ${name.padEnd(nameWidth)}  ${dsn}\n`)
    .join('')
}
