import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { listDeletedProjects } from '#server/store/projects/deleted.ts'
import { createProject, listProjectKeys, listProjectNames } from '#server/store/projects/projects.ts'
import { parseCountOption, parseKey, Problems } from '../arguments.ts'
import { readArguments, type Command } from '../command.ts'
import { withProjectStore, type ProjectStore } from './store.ts'

const usage = 'culvert project add NAME [--id NUMBER] [--key KEY]'

const nameLength = limits.projectNameCharacters

interface NewProject {
  name: string
  id?: number
  publicKey?: string
}

/** `culvert project add`: creates a project with one key and prints its id, name and DSN. */
export const projectAdd: Command = async (args, context) => {
  const { values, positionals } = readArguments(usage, args, {
    id: { type: 'string' },
    key: { type: 'string' },
  })
  const project = parseNewProject(positionals, values)
  await withProjectStore(
    context,
    async (opened) => {
      await requireFree(opened, project)
      const created = await createProject(opened.store, project)
      const dsn = toProjectDsn(opened.origin, { publicKey: created.publicKey, projectId: created.id })
      context.print(`id    ${created.id}\nname  ${created.name}\nDSN   ${dsn}\n`)
    },
    { createsInstallation: true },
  )
}

function parseNewProject(positionals: string[], values: { id?: string; key?: string }): NewProject {
  const problems = new Problems()
  const [name = '', ...more] = positionals.map((text) => text.trim())
  if (name === '' || more.length > 0)
    problems.add('One name is needed; put quotes around a name with spaces.')
  if (name.length > nameLength) problems.add(`The name is longer than ${nameLength} characters.`)
  const id = values.id === undefined ? undefined : parseCountOption(values.id, '--id', problems)
  const publicKey = values.key === undefined ? undefined : parseKey(values.key, '--key', problems)
  problems.throwIfAny(usage)
  return { name, id, publicKey }
}

async function requireFree({ store }: ProjectStore, project: NewProject): Promise<void> {
  const projects = await listProjectNames(store.db)
  const sameId = projects.find(({ id }) => id === project.id)
  if (sameId !== undefined) {
    throw new OperatorError(
      `Project ${sameId.id} already exists: it is ${JSON.stringify(sameId.name)}. Choose another --id.`,
    )
  }
  const deleted = await listDeletedProjects(store.db)
  if (deleted.some(({ projectId }) => projectId === project.id)) {
    throw new OperatorError(
      `The data of the deleted project ${project.id} is still being deleted, and a new project with this id would lose its own. ` +
        'Choose another --id; or wait for ten minutes, run "culvert retention run", and try again.',
    )
  }
  const sameName = projects.find(({ name }) => name.toLowerCase() === project.name.toLowerCase())
  if (sameName !== undefined) {
    throw new OperatorError(
      `A project named ${JSON.stringify(sameName.name)} already exists: its id is ${sameName.id}.`,
    )
  }
  const sameKey = (await listProjectKeys(store.db)).find(({ publicKey }) => publicKey === project.publicKey)
  if (sameKey !== undefined) {
    throw new OperatorError(`This key already belongs to project ${sameKey.projectId}. Choose another --key.`)
  }
}
